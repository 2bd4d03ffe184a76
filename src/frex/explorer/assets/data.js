/* The fit: an index that is there at once, and pieces that are unpacked when they are needed. */

const index = JSON.parse(byId("index").textContent);
const nWords = index.words.length;
const nNodes = index.names.length;
const titles = index.titles ?? index.names;
const shown = index.surface ?? index.words;
const leftOut = new Set(index.leftOut); // topics without documents: nothing is known of them
const byBranch = new Set(index.branches); // topics shown by the words of all documents below
const twoLists = new Set(index.both); // topics that have their own words, and those of all below
const nTopics = nNodes - 1 - leftOut.size;

const children = index.names.map(() => []);
const levels = new Array(nNodes).fill(0);
for (let node = 1; node < nNodes; node++) {
  // parents come before their children
  children[index.parents[node]].push(node);
  levels[node] = levels[index.parents[node]] + 1;
}

/** Return the topics above a node, the top one first. */
function ancestors(node) {
  const above = [];
  for (let up = index.parents[node]; up > 0; up = index.parents[up]) above.unshift(up);
  return above;
}

const known = (nodes) => nodes.filter((node) => !leftOut.has(node));
/** The topics of the first level that has a choice: a lone topic at the top is about everything. */
const mainTopics = (() => {
  let level = known(children[0]);
  while (level.length === 1 && known(children[level[0]]).length) level = known(children[level[0]]);
  return level;
})();
const siblings = (node) =>
  known(children[index.parents[node]]).filter((other) => other !== node);

const perThousand = (code) => Math.exp(index.logRate[0] + index.logRate[1] * code);
const share = (code) => index.share * code;

const unpacked = new Map();

/** Return a promise of a piece: `meta`, and its arrays by name. */
function piece(name) {
  if (!unpacked.has(name)) unpacked.set(name, unpack(name));
  return unpacked.get(name);
}

const topicPiece = (node) => piece(`topic-${node}`);

/** FREX from ranks among all words: the arithmetic of `frex.scores.frex_from`, to the bit. */
function frex(rateRank, shareRank, weight) {
  const frequency = rateRank / nWords;
  const exclusivity = shareRank / nWords;
  if (weight === 0) return frequency;
  if (weight === 1) return exclusivity;
  return 1 / (weight / exclusivity + (1 - weight) / frequency);
}

/** Return record i of a piece, a word in a topic, as seen from a comparison set. */
function record(data, i, set, weight) {
  const rateRank = data.rateRank[i];
  const shareRank = data[`shareRank${set}`][i];
  return {
    rateRank,
    shareRank,
    logRate: index.logRate[0] + index.logRate[1] * data.rate[i],
    rate: perThousand(data.rate[i]),
    share: share(data[`share${set}`][i]),
    frex: frex(rateRank, shareRank, weight),
  };
}

/** Return the words of a topic, the best first. Equal scores stay in the order of the words. */
function ranking(topic, set, weight) {
  const rows = Array.from(topic.word, (word, i) => ({ word, ...record(topic, i, set, weight) }));
  return rows.sort((a, b) => b.frex - a.frex);
}

/** Return a word's intervals in a list, each with its median, or null where there are no draws. */
function intervals(topic, set, word, weight) {
  const words = topic[`drawnWord${set}`];
  const place = words?.indexOf(word) ?? -1;
  if (place < 0) return null;
  const n = words.length;
  const ends = (codes, write) => {
    const [low, middle, high] = [0, 1, 2].map((row) => write(codes[row * n + place]));
    return { low, middle, high };
  };
  return {
    frex: quantiles(drawnFrex(topic, set, place, n, weight)),
    rate: ends(topic[`drawnRate${set}`], perThousand),
    share: ends(topic[`drawnShare${set}`], share),
  };
}

function drawnFrex(topic, set, place, n, weight) {
  const [codes, low, high] = ["draw", "drawLow", "drawHigh"].map((name) => topic[name + set]);
  const nDraws = codes.length / (2 * n);
  const rank = (row, draw) =>
    low[row] + ((high[row] - low[row]) * codes[row * nDraws + draw]) / 255;
  return Float64Array.from({ length: nDraws }, (_, draw) =>
    frex(rank(place, draw), rank(n + place, draw), weight),
  );
}

/** Return the two ends that leave equal tails out, and the median, as posterior/intervals.py has them. */
function quantiles(draws) {
  draws.sort();
  const tail = (1 - index.interval) / 2;
  const [low, middle, high] = [tail, 0.5, 1 - tail].map((p) => {
    const at = Math.min(Math.max(p * (draws.length + 1) - 1, 0), draws.length - 1);
    const below = Math.floor(at);
    const above = Math.min(below + 1, draws.length - 1);
    return draws[below] + (at - below) * (draws[above] - draws[below]);
  });
  return { low, middle, high };
}

/** Return the topics that use a word most, most first. */
async function topicsOf(word, set, weight) {
  const data = await piece(`words-${Math.floor(word / index.wordsAPiece)}`);
  const start = (word % index.wordsAPiece) * index.topicsAWord;
  return Array.from({ length: index.topicsAWord }, (_, i) => ({
    node: data.topic[start + i],
    ...record(data, start + i, set, weight),
  }));
}
