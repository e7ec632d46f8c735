/** What a game is played with when nothing else is said. */

export const DEFAULT_LEVEL = 3;
export const DEFAULT_RULESET = "alquerque/table";
