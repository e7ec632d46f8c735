/**
 * Glicko-2, after Mark E. Glickman, "Example of the Glicko-2 system" (2022 revision). Step numbers are the paper's.
 * Ratings are on the Glicko scale (1500 and 350 for a newcomer); inside, on the paper's own.
 */

/** @typedef {{rating: number, deviation: number, volatility: number}} Rating */
/** @typedef {{rating: number, deviation: number, score: number}} Game the other side's rating; score 1, ½ or 0 */

export const NEWCOMER = Object.freeze({ rating: 1500, deviation: 350, volatility: 0.06 });
/** How much the volatility may change; the paper advises 0.3 to 1.2. */
const TAU = 0.5;
const SCALE = 173.7178;
const PRECISION = 1e-6;

/** @param {number} phi */
const g = (phi) => 1 / Math.sqrt(1 + 3 * phi ** 2 / Math.PI ** 2);

/** What is to be expected, 0 to 1. @param {Rating} own @param {{rating: number, deviation: number}} other */
export const expected = (own, other) => 1 / (1 + Math.exp(-g(other.deviation / SCALE) * (own.rating - other.rating) / SCALE));

/**
 * @param {Rating} own
 * @param {Game[]} games of one rating period; none only widens the deviation
 * @param {{tau?: number}} [settings]
 * @returns {Rating}
 */
export function rate(own, games, { tau = TAU } = {}) {
  const mu = (own.rating - 1500) / SCALE; // step 2
  const phi = own.deviation / SCALE;
  if (games.length === 0) return { ...own, deviation: Math.min(NEWCOMER.deviation, SCALE * Math.hypot(phi, own.volatility)) };

  let information = 0; // step 3: 1 / v
  let surprise = 0; // step 4: delta / v
  for (const { rating, deviation, score } of games) {
    const weight = g(deviation / SCALE);
    const chance = 1 / (1 + Math.exp(-weight * (mu - (rating - 1500) / SCALE)));
    information += weight ** 2 * chance * (1 - chance);
    surprise += weight * (score - chance);
  }
  const v = 1 / information;
  const volatility = newVolatility(own.volatility, v * surprise, phi, v, tau); // step 5
  const before = Math.hypot(phi, volatility); // step 6
  const after = 1 / Math.sqrt(1 / before ** 2 + information); // step 7
  return {
    rating: SCALE * (mu + after ** 2 * surprise) + 1500, // step 8
    deviation: Math.min(NEWCOMER.deviation, SCALE * after),
    volatility,
  };
}

/** Step 5, the Illinois way of finding a root. @param {number} sigma @param {number} delta @param {number} phi @param {number} v @param {number} tau */
function newVolatility(sigma, delta, phi, v, tau) {
  const a = Math.log(sigma ** 2);
  const f = (/** @type {number} */ x) => {
    const e = Math.exp(x);
    const d = phi ** 2 + v + e;
    return e * (delta ** 2 - d) / (2 * d ** 2) - (x - a) / tau ** 2;
  };
  let A = a;
  let B;
  if (delta ** 2 > phi ** 2 + v) B = Math.log(delta ** 2 - phi ** 2 - v);
  else {
    let k = 1;
    while (f(a - k * tau) < 0) k++;
    B = a - k * tau;
  }
  let [fA, fB] = [f(A), f(B)];
  while (Math.abs(B - A) > PRECISION) {
    /** @type {number} */
    const C = A + (A - B) * fA / (fB - fA);
    const fC = f(C);
    if (fC * fB <= 0) [A, fA] = [B, fB];
    else fA /= 2;
    [B, fB] = [C, fC];
  }
  return Math.exp(A / 2);
}
