/**
 * Where the citation blocks of an answer stand, by the same grammar as `artifacts/citation_blocks.py`; tests hold both
 * against the same texts. It is here because an answer must not wait for another process before it is stored.
 *
 *     <memory-citation> ... </memory-citation>     anywhere, in any case of letters
 *     ```memory-citation ... ```                   a fence with that word behind it
 *
 * Inside an ordinary fence or between backticks a block is an example. One without end goes as far as its lines look
 * like those of a block.
 */

const NAME = "memory-citation";
// A line begins behind "\n" and ends before one; `^` and `$` of this language know other ends of lines too.
const STOP = new RegExp(
  "(?<![^\\n]) {0,3}(?<mark>`{3,}|~{3,})(?<info>[^\\n]*)" +
    `|(?<glued>(?<!\`)\`{3,}|(?<!~)~{3,})[ \\t]*${NAME}[ \\t\\r]*(?![^\\n])` +
    `|(?<tag><${NAME}[ \\t]*>)`,
  "gi",
);
const TAG = new RegExp(`<(?<close>/?)${NAME}[ \\t]*>`, "gi");
const MORE_CLOSES = new RegExp(`(?:\\s*</${NAME}[ \\t]*>)+`, "iy");
const BLANK_REST = /[ \t\r]*(?:\n|$)/y;
const FENCE = /(?<![^\n]) {0,3}(`{3,}|~{3,})([^\n]*)/g;
const BEGINNING = new RegExp(
  `^(?:</?(?:${NAME}|citation_entries|session_ids)\\b|</?[a-z_-]{0,20}$|(?:sessions|session_ids)[ \\t]*:)`,
  "i",
);
const ENTRY = /\.md(?:$|:\s*L?[0-9])|\|note=/i;
const IDS = /^(?=.*[0-9])[\p{L}\p{N}_.:,-]{8,}$/u;
const MAX_LINE_CHARACTERS = 2_000;
/** A longer answer is left as it is: looking at it would hold up the host. */
const MAX_CHARACTERS = 1_000_000;

/** The text without its citation blocks; everything else as it was. */
export function stripCitations(text) {
  let kept = "";
  let position = 0;
  for (const { start, end } of findCitationBlocks(text)) {
    kept += text.slice(position, start);
    position = end;
  }
  return kept + text.slice(position);
}

/** Keeps a block without end from going on in the one behind it. */
const BETWEEN_BLOCKS = "\n\nand\n\n";

/** The citation blocks of the text and nothing else of it; "" where there are none. */
export function citationBlocks(text) {
  return findCitationBlocks(text)
    .map(({ start, end }) => text.slice(start, end).trim())
    .join(BETWEEN_BLOCKS);
}

/** The blocks in the order of the text; none overlap. */
export function findCitationBlocks(text) {
  if (text.length > MAX_CHARACTERS || !text.toLowerCase().includes(NAME)) return [];
  return [...new Walk(text).blocks()];
}

class Walk {
  constructor(text) {
    this.text = text;
    this.breaks = [...text.matchAll(/\n/g)];
    this.ticks = [...text.matchAll(/`/g)];
    this.tags = [...text.matchAll(TAG)];
    this.closes = this.closesOfTags();
    this.fences = [...text.matchAll(FENCE)];
    this.ends = endsOfFences(this.fences);
  }

  *blocks() {
    let position = 0;
    for (const stop of this.text.matchAll(STOP)) {
      if (stop.index < position) continue;
      const { mark, info, glued, tag } = stop.groups;
      let found = null;
      if (tag) found = this.tagged(stop);
      else if (glued) found = this.fenced(stop, stop.index, glued);
      else if (info.trim().toLowerCase() === NAME) found = this.fenced(stop, stop.index + stop[0].indexOf(mark), mark);
      else position = Math.max(position, this.ends.get(stop.index) ?? stop.index + stop[0].length);
      if (found) {
        position = found.end;
        yield found;
      }
    }
  }

  fenced(opening, start, mark) {
    if (this.isInCode(start)) return null;
    const body = opening.index + opening[0].length;
    const close = this.fences[firstAt(this.fences, body)];
    if (close && closes(close, mark)) return this.block(start, close.index + close[0].length);
    return this.block(start, this.endOfDamaged(body));
  }

  tagged(opening) {
    const start = opening.index;
    const body = start + opening[0].length;
    if (this.isInCode(start)) return null;
    const close = this.closes[firstAt(this.tags, start)];
    if (!close) {
      const end = this.endOfDamaged(body);
      const isProse = end === body && !matchesAt(BLANK_REST, this.text, body);
      return isProse ? null : this.block(start, end);
    }
    const isSentence = !this.beginsLine(start) && this.lineEnd(body) > close.index && !this.isLikeBlock(body, close);
    if (isSentence) return null;
    const closeEnd = close.index + close[0].length;
    return this.block(start, matchesAt(MORE_CLOSES, this.text, closeEnd) ? MORE_CLOSES.lastIndex : closeEnd);
  }

  /** For every opening tag the nearest close; null where another block opens before it, behind other words. */
  closesOfTags() {
    const found = new Array(this.tags.length).fill(null);
    for (let at = this.tags.length - 2; at >= 0; at--) {
      const following = this.tags[at + 1];
      if (following.groups.close) found[at] = following;
      else if (this.isLikeBlock(this.tags[at].index + this.tags[at][0].length, following)) found[at] = found[at + 1];
    }
    return found;
  }

  isLikeBlock(position, tag) {
    return this.text.slice(position, tag.index).split("\n").every(isOfBlock);
  }

  /** Behind the last line that looks like one of a block. */
  endOfDamaged(body) {
    let end = body;
    for (let position = body; position <= this.text.length; ) {
      const lineEnd = this.lineEnd(position);
      const line = this.text.slice(position, lineEnd);
      if (line.length > MAX_LINE_CHARACTERS || !isOfBlock(line)) break;
      if (!matchesAt(BLANK_REST, this.text, position)) end = lineEnd;
      position = lineEnd + 1;
    }
    return end;
  }

  block(from, to) {
    let [start, end] = [from, to];
    if (this.beginsLine(start)) {
      start = this.lineStart(start);
      while (start && isBreak(this.text[start - 1])) start--;
    }
    if (start === 0) while (end < this.text.length && isBreak(this.text[end])) end++;
    return { start, end };
  }

  /** Whether an odd number of backticks stands before it on its line. */
  isInCode(position) {
    return (firstAt(this.ticks, position) - firstAt(this.ticks, this.lineStart(position))) % 2 === 1;
  }

  beginsLine(position) {
    let at = position;
    while (at && " \t".includes(this.text[at - 1])) at--;
    return at === 0 || this.text[at - 1] === "\n";
  }

  lineStart(position) {
    const before = firstAt(this.breaks, position);
    return before ? this.breaks[before - 1].index + 1 : 0;
  }

  lineEnd(position) {
    return this.breaks[firstAt(this.breaks, position)]?.index ?? this.text.length;
  }
}

function isOfBlock(line) {
  const text = line.trim();
  if (text.length > MAX_LINE_CHARACTERS) return false;
  return !text || BEGINNING.test(text) || ENTRY.test(text) || IDS.test(text);
}

function isBreak(character) {
  return character === "\n" || character === "\r";
}

function matchesAt(pattern, text, position) {
  pattern.lastIndex = position;
  return pattern.test(text);
}

/** The place of the first match that does not begin before a position. */
function firstAt(matches, position) {
  let [low, high] = [0, matches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (matches[middle].index < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function closes(fence, mark) {
  return fence[1][0] === mark[0] && fence[1].length >= mark.length && !fence[2].trim();
}

/** Start of every fence that is closed -> its end; walked backwards, so that each is looked at once. */
function endsOfFences(fences) {
  const ends = new Map();
  const closing = { "`": [], "~": [] };
  for (const fence of [...fences].reverse()) {
    const able = closing[fence[1][0]];
    const close = able.findLast((one) => one[1].length >= fence[1].length);
    if (close) ends.set(fence.index, close.index + close[0].length);
    if (!fence[2].trim()) {
      while (able.length && able.at(-1)[1].length <= fence[1].length) able.pop();
      able.push(fence);
    }
  }
  return ends;
}
