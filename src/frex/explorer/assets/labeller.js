/* Labels of a text, worked out here as `frex predict` does: the formulas are those of
 * `frex.predict.judges` (features), `join` and `curve` (log odds), `labels` and `reasons`. */

class Labeller {
  constructor({ meta, rate, weight }) {
    Object.assign(this, meta);
    this.n = meta.nodes.length;
    this.weight = weight;
    this.rate = rate;
    this.columns = meta.parents.length; // of the rates: the root, then the topics
    // the way from no word to the document: Gauss and Legendre's points, as Python has them, in the
    // root of how far, for most happens at its beginning
    this.way = gaussLegendre(64).map(([root, part]) => [root * root, 2 * part * root]);
  }

  /** Add a row of the rates, times a number, to an array over topics. */
  addRates(word, times, to) {
    const { rate, parents, columns, rateStep } = this;
    const start = word * columns;
    const row = this.row ??= new Float64Array(columns);
    row[0] = signedCode(rate[start]);
    for (let k = 1; k < columns; k++) {
      row[k] = row[parents[k]] + signedCode(rate[start + k]); // a difference from the parent's
      to[k - 1] += times * rateStep * row[k];
    }
  }

  addWeights(word, times, to) {
    const { weight, n, weightStep } = this;
    const start = word * n;
    for (let k = 0; k < n; k++) to[k] += times * weightStep * signedCode(weight[start + k]);
  }

  weightAt(word, topic) {
    return this.weightStep * signedCode(this.weight[word * this.n + topic]);
  }

  /** Return what is known of a document, from its counts by word. */
  judge(counts) {
    const { n, idf, sums, prior, sizes, coefficients: c } = this;
    const entries = [...counts];
    const tokens = entries.reduce((sum, [, times]) => sum + times, 0);
    const weighed = entries.map(([word, times]) => (1 + Math.log(times)) * idf[word]);
    const length = Math.hypot(...weighed) || 1;
    const decisions = Float64Array.from(this.intercepts);
    const logs = new Float64Array(n);
    entries.forEach(([word, times], i) => {
      this.addWeights(word, weighed[i] / length, decisions);
      this.addRates(word, times, logs);
    });
    const worth = 1 / (1 + tokens / this.saturation);
    const exposure = tokens / this.meanLength;
    const moved = new Float64Array(n); // what all words together, and those missing, change
    for (let k = 0; k < n; k++) {
      moved[k] = worth * (logs[k] - exposure * sums[k]);
      logs[k] = moved[k] + prior[k];
    }
    const shares = softmax(logs);
    const within = this.within(shares);
    const [first, second] = highestTwo(n, (k) => decisions[k]);
    const raw = Float64Array.from({ length: n }, (_, k) => {
      const words = Math.log(shares[k] + this.least);
      const likely = Math.max(words - this.unlikely, 0);
      const lead = k === first ? decisions[first] - decisions[second] : 0;
      return this.intercept + c.linear * decisions[k] +
        c.gap * (decisions[first] - decisions[k]) + c.lead * lead + c.size * sizes[k] +
        c.linear_by_size * decisions[k] * sizes[k] + c.words * words +
        c.words_by_size * words * sizes[k] + c.branch * Math.log(within[k] + this.least) +
        c.likely * likely + c.linear_by_likely * decisions[k] * likely;
    });
    const odds = raw.map((value, k) => (this.used[k] ? this.bend(value) : this.unused));
    return { entries, tokens, weighed, length, worth, exposure, decisions, moved, raw, odds };
  }

  /** Return the sums of shares over the branch that each topic lies in; 1 at the top. */
  within(shares) {
    const sums = new Float64Array(this.columns);
    for (let node = this.columns - 1; node > 0; node--) { // children before their parents
      sums[node] += shares[node - 1];
      sums[this.parents[node]] += sums[node];
    }
    return Float64Array.from({ length: this.n }, (_, k) =>
      this.parents[k + 1] ? sums[this.parents[k + 1]] : 1);
  }

  /** The curve: straight between its knots, level beyond them. */
  bend(value) {
    const { knots, values } = this;
    if (value <= knots[0]) return values[0];
    if (value >= knots.at(-1)) return values.at(-1);
    const i = knots.findIndex((knot) => knot > value);
    const part = (value - knots[i - 1]) / (knots[i] - knots[i - 1]);
    return values[i - 1] + part * (values[i] - values[i - 1]);
  }

  /** Return the topics that are labels, the most specific ones, the likeliest first. */
  choose({ entries, odds }) {
    if (!entries.length) return [];
    const lead = odds.map((value, k) => (this.used[k] ? value - this.thresholds[k] : -Infinity));
    let reached = [...lead.keys()].filter((k) => lead[k] >= 0);
    if (!reached.length) {
      const best = lead.reduce((a, b) => Math.max(a, b), -Infinity);
      reached = [lead.indexOf(best)];
    }
    reached = reached.sort((a, b) => lead[b] - lead[a] || a - b).slice(0, this.mostLabels);
    const implied = new Set(reached.flatMap((k) => this.above[k]));
    return reached.filter((k) => !implied.has(k)).sort((a, b) => odds[b] - odds[a]);
  }

  /**
   * Return what adds up to the log odds of topics: what each word adds, missing words, the tree.
   *
   * The way of `frex.predict.reasons`: a document's counts grow together from nothing.
   */
  explain(judged, topics) {
    const { n, prior, sums, sizes, intercepts, coefficients: c } = this;
    const { entries, weighed, length, worth, exposure, decisions, moved } = judged;
    const ends = [Float64Array.from(prior), Float64Array.from(prior, (p, k) => p + moved[k])]
      .map((logs) => this.within(softmax(logs)));
    const steps = this.way.map(([at, part]) => {
      const decided = (k) => intercepts[k] + at * (decisions[k] - intercepts[k]);
      const [first, second] = highestTwo(n, decided);
      return { part, decided, first, second,
        theta: softmax(Float64Array.from(prior, (p, k) => p + at * moved[k])) };
    });
    // along the way a word's gain is r (likely of the topic - mean over topics): linear in its
    // log rates, so that the steps are added up before words are looked at
    const found = topics.map((topic) => {
      const through = new Float64Array(n);
      let [whole, ofLinear] = [0, c.linear - c.gap + c.linear_by_size * sizes[topic]];
      for (const { part, theta, first, decided } of steps) {
        const likely = Math.max(Math.log(theta[topic] + this.least) - this.unlikely, 0);
        let ofWords = c.words + c.words_by_size * sizes[topic];
        if (likely > 0) ofWords += c.likely + c.linear_by_likely * decided(topic);
        const rise = (part * ofWords * theta[topic]) / (theta[topic] + this.least);
        whole += rise;
        for (let k = 0; k < n; k++) through[k] -= rise * theta[k];
        ofLinear += part * c.linear_by_likely * likely;
        if (first === topic) ofLinear += part * c.lead;
      }
      through[topic] += whole;
      const seconds = lengths(steps.filter(({ first }) => first === topic), "second");
      return { topic, through, ofLinear, seconds, gains: [] };
    });
    const firsts = lengths(steps, "first");
    const row = new Float64Array(n);
    entries.forEach(([word, times], i) => {
      row.fill(0);
      this.addRates(word, worth * times, row);
      const linear = (topic) => (weighed[i] / length) * this.weightAt(word, topic);
      const along = (ways) => ways.reduce((sum, [topic, part]) => sum + part * linear(topic), 0);
      const highest = along(firsts);
      for (const { topic, through, ofLinear, seconds, gains } of found)
        gains.push(ofLinear * linear(topic) + c.gap * highest - c.lead * along(seconds) +
          dot(through, row));
    });
    return found.map(({ topic, through, gains }) => {
      const missing = -worth * exposure * dot(through, sums);
      const tree = c.branch * (Math.log(ends[1][topic] + this.least) -
        Math.log(ends[0][topic] + this.least));
      const rise = gains.reduce((a, b) => a + b, 0) + missing + tree;
      const end = judged.raw[topic];
      const stretch = Math.abs(rise) > 1e-9
        ? (this.bend(end) - this.bend(end - rise)) / rise : 1;
      const words = gains.map((gain, i) => ({ word: entries[i][0], gain: stretch * gain }))
        .sort((a, b) => b.gain - a.gain);
      return { topic, words, missing: stretch * missing, tree: stretch * tree };
    });
  }
}

const signedCode = (code) => (code & 1 ? -(code + 1) / 2 : code / 2);

/** Return where a function of 0 to n - 1 is highest, and second highest; of one twice the same. */
function highestTwo(n, value) {
  let [first, second] = [0, n > 1 ? 1 : 0];
  if (value(second) > value(first)) [first, second] = [second, first];
  for (let k = 2; k < n; k++) {
    if (value(k) > value(first)) [first, second] = [k, first];
    else if (value(k) > value(second)) second = k;
  }
  return [first, second];
}

/** Return how much of the way each topic is the one of a role in: pairs of topic and length. */
function lengths(steps, role) {
  const found = new Map();
  for (const step of steps) found.set(step[role], (found.get(step[role]) ?? 0) + step.part);
  return [...found];
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function softmax(logs) {
  const most = logs.reduce((a, b) => Math.max(a, b), -Infinity);
  const shares = logs.map((value) => Math.exp(value - most));
  const sum = shares.reduce((a, b) => a + b, 0);
  return shares.map((value) => value / sum);
}

/** Return points and weights of Gauss and Legendre's rule between 0 and 1. */
function gaussLegendre(n) {
  return Array.from({ length: n }, (_, i) => {
    let x = Math.cos((Math.PI * (i + 0.75)) / (n + 0.5));
    let slope = 1;
    for (let turn = 0; turn < 50; turn++) { // Newton's steps to a root of Legendre's polynomial
      let [before, now] = [1, x];
      for (let k = 2; k <= n; k++)
        [before, now] = [now, ((2 * k - 1) * x * now - (k - 1) * before) / k];
      slope = (n * (x * now - before)) / (x * x - 1);
      x -= now / slope;
    }
    return [(1 + x) / 2, 1 / ((1 - x * x) * slope * slope)];
  });
}
