/**
 * The plugin of opencode: `server` is its contract of version 1, `setup` that of version 2.
 *
 * The file in opencode's plugin folder (`entry.js`, filled in by the installer) brings the settings and calls one of
 * the two. Every hook is quiet: opencode goes on whatever happens here, and nothing is printed, for that would go into
 * its terminal interface.
 */

import { isLearner } from "../bridge/memory.mjs";
import { hooksOfVersion1 } from "./version1.mjs";
import { registerInVersion2 } from "./version2.mjs";

export async function server(input, settings) {
  return isLearner() ? {} : await hooksOfVersion1(input, settings);
}

export async function setup(context, settings) {
  return isLearner() ? undefined : await registerInVersion2(context, settings);
}
