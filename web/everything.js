/**
 * Everything that the visitor has, as one file and back: games, those in rooms and by letter, settings, own rules,
 * profile. A file is foreign: every part goes through the same check as what the browser had stored, and what does
 * not pass is left out and counted.
 */

import { GRAMMAR } from "./hash.js";
import { cleanLine } from "./names.js";
import { cleanRules, ownRules, saveRules } from "./own-rules.js";
import { Profile, readProfile } from "./profile/profile.js";
import { cleanRated, loadRated, RATED } from "./profile/rated.js";
import { cleanLetter, commonOf, listLetters, loadLetter, putLetter } from "./room/letters.js";
import { cleanRoom, listRooms, loadRoom, MOST as MOST_ROOMS, putRoom } from "./room/rooms.js";
import { HABITS_KEY, habitsFrom } from "./screens/print/habits.js";
import { CHOICES, SETTINGS_KEY } from "./settings.js";
import { freshId, isSavedGame, LONGEST_NAME } from "./store.js";

/** @typedef {import("./store.js").SavedGame} SavedGame */
/** @typedef {import("./own-rules.js").OwnRules} OwnRules */
/**
 * @typedef {object} Everything
 * @property {SavedGame[]} games
 * @property {import("./room/rooms.js").Kept[]} rooms
 * @property {import("./room/letters.js").Letter[]} letters
 * @property {number} refused how many entries were no games
 * @property {Record<string, unknown> | null} settings
 * @property {import("./screens/print/habits.js").Habits | null} print
 * @property {OwnRules[]} rules
 * @property {import("./profile/profile.js").ProfileData | null} profile
 * @property {import("./profile/rated.js").RatedGame | null} rated under way
 */

export const MOST_FILE = 8_000_000;
const MOST_GAMES = 2000;
const MOST_MOVES = 2000;

/** @param {import("./store.js").Store} store @returns {string} the file's text */
export function exportEverything(store) {
  return JSON.stringify({
    qirkat: "everything", v: 1, games: store.games(), rooms: listRooms(store), letters: listLetters(store), settings: store.read(SETTINGS_KEY), print: store.read(HABITS_KEY), rules: ownRules(store), profile: readProfile(store.read("qirkat.profile")), rated: loadRated(store),
  }, null, 1);
}

/** @param {string} text @returns {{kind: "ok", found: Everything} | {kind: "big" | "syntax" | "shape"}} */
export function readEverything(text) {
  if (text.length > MOST_FILE) return { kind: "big" };
  let value;
  try { value = JSON.parse(text); } catch { return { kind: "syntax" }; }
  if (typeof value !== "object" || value === null || value.qirkat !== "everything" || value.v !== 1 || !Array.isArray(value.games) || value.games.length > MOST_GAMES) return { kind: "shape" };
  // Files of earlier versions hold neither rooms nor letters, neither print choices nor a rated game.
  const [games, rooms, letters] = [readList(value.games, MOST_GAMES, cleanGame), readList(value.rooms, MOST_ROOMS, cleanRoom), readList(value.letters, MOST_GAMES, cleanLetter)];
  const settings = typeof value.settings === "object" && value.settings !== null
    ? Object.fromEntries(Object.keys(CHOICES).filter((name) => Object.hasOwn(value.settings, name)).map((name) => [name, value.settings[name]])) : null;
  return { kind: "ok", found: { games: games.good, rooms: rooms.good, letters: letters.good, refused: games.refused + rooms.refused + letters.refused, settings, print: value.print ? habitsFrom(value.print) : null, rules: cleanRules(value.rules), profile: readProfile(value.profile), rated: cleanRated(value.rated) } };
}

/** @template T @param {unknown} list @param {number} most @param {(value: unknown) => T | null} clean @returns {{good: T[], refused: number}} */
function readList(list, most, clean) {
  if (!Array.isArray(list)) return { good: [], refused: 0 };
  const good = list.slice(0, most).map(clean).filter((one) => one !== null);
  return { good, refused: list.length - good.length };
}

/** Only what a game has, each part within what an address may say. @param {unknown} value @returns {SavedGame | null} */
function cleanGame(value) {
  if (!isSavedGame(value)) return null;
  const { id, ruleset, start, moves, seats, level, flip, hints, hinted = [], over, updated, name } = value;
  const fine = /^[0-9a-f]{1,32}$/.test(id) && GRAMMAR.g.test(ruleset) && (start === null || GRAMMAR.p.test(start)) && moves.length <= MOST_MOVES && moves.every((move) => GRAMMAR.m.test(move))
    && Number.isInteger(level) && level >= 1 && level <= 9 && updated >= 0 && updated < 2 ** 52;
  if (!fine) return null;
  return {
    v: 1, id, ruleset, start, moves, seats: { x: seats.x, o: seats.o }, level, flip: flip === true, hints: Number.isInteger(hints) && hints > 0 ? hints : 0,
    hinted: hinted.filter((ply) => ply > 0 && ply <= moves.length + 1),
    over: over === true, updated, writer: "file", ...(name && cleanLine(name, LONGEST_NAME) ? { name: cleanLine(name, LONGEST_NAME) } : {}),
  };
}

/**
 * Takes a file's content in beside what is here: a game that is here already is not doubled, another one that has the
 * same place gets a place of its own. A game in a room or by letter has its one place for ever: there the file's is
 * taken where it goes on from what is here; so with the rated game, unless it has been counted here. Settings are taken over; the profile only where there is none, or on wish.
 * @param {import("./app.js").App} app @param {Everything} found @param {{profile: boolean}} wish
 * @returns {Promise<{games: number, profile: "none" | "taken" | "kept" | "refused"}>}
 */
export async function takeEverything({ store, settings }, found, wish) {
  let games = 0;
  for (const game of found.games) {
    const here = store.loadGame(game.id);
    if (here && sameGame(here, game)) continue;
    // Where there is no room left, what is here stays and what comes is kept till the tab closes.
    store.putGame(here ? { ...game, id: freshId() } : game, { push: false });
    games++;
  }
  for (const room of found.rooms) {
    const here = loadRoom(store, room.room);
    if (here && !(here.stand?.game === room.stand?.game && here.role === room.role && goesOn(here.stand?.moves ?? [], room.stand?.moves ?? []))) continue;
    putRoom(store, room);
    games++;
  }
  for (const letter of found.letters) {
    const here = loadLetter(store, letter.k);
    if (here && !(here.side === letter.side && sameStart(here, letter) && goesOn(here.moves, letter.moves))) continue;
    putLetter(store, letter);
    games++;
  }
  if (found.rules.length) {
    const own = ownRules(store);
    saveRules(store, [...own, ...found.rules.filter(({ ruleset }) => !own.some((one) => one.ruleset === ruleset))]);
  }
  if (found.settings) settings.take(found.settings);
  if (found.print) store.write(HABITS_KEY, found.print);
  const profile = await takeProfile(store, found.profile, wish);
  if (found.rated && takeRated(store, found.rated)) games++;
  return { games, profile };
}

/** @param {import("./store.js").Store} store @param {Everything["profile"]} profile @param {{profile: boolean}} wish @returns {Promise<"none" | "taken" | "kept" | "refused">} */
async function takeProfile(store, profile, wish) {
  if (!profile) return "none";
  const here = readProfile(store.read("qirkat.profile"));
  if (here && (here.keys || here.results.length) && !wish.profile) return "kept";
  const answer = await new Profile(store).imported(JSON.stringify({ qirkat: "profile", ...profile }));
  return answer === "ok" ? "taken" : "refused";
}

/** One whose result stands already must not be played again. @param {import("./store.js").Store} store @param {import("./profile/rated.js").RatedGame} rated @returns {boolean} */
function takeRated(store, rated) {
  const here = loadRated(store);
  const counted = readProfile(store.read("qirkat.profile"))?.results.some(({ id }) => id === rated.id);
  if (counted || (here && !(here.id === rated.id && goesOn(here.moves, rated.moves)))) return false;
  store.write(RATED, rated, { push: false });
  return true;
}

/** @typedef {{ruleset: string, start: string | null}} Start */
/** @param {Start} one @param {Start} other */
const sameStart = (one, other) => one.ruleset === other.ruleset && one.start === other.start;

/** Whether the other record is ours with more behind it. @param {string[]} ours @param {string[]} theirs */
const goesOn = (ours, theirs) => theirs.length > ours.length && commonOf(ours, theirs) === ours.length;

/** @param {SavedGame} one @param {SavedGame} other */
const sameGame = (one, other) => sameStart(one, other) && one.moves.join(" ") === other.moves.join(" ");
