/** Starts the engine before the rest of the page has even come: what takes longest begins first. */

import { Engine } from "./engine.js";

export const engine = new Engine();
