"""Laying the corpus out for the GPU, on the CPU: tokens in stretches, documents side by side."""

from __future__ import annotations

import numpy as np

from frex.sampler.kernels.documents import first_count
from frex.sampler.kernels.options import inner, parallel


@inner
def order_by_labels(first, last, sizes, most, order):
    """Fill a word's tokens with those of most labels first."""
    starts = np.zeros(most + 2, np.int64)
    for token in range(first, last):
        starts[most - np.int64(sizes[token]) + 1] += 1
    for m in range(most + 1):
        starts[m + 1] += starts[m]
    for token in range(first, last):
        m = most - np.int64(sizes[token])
        order[first + starts[m]] = token
        starts[m] += 1


@parallel("data.bin_order")
def measure_words(own_bins, data, sizes, most, longest, order, n_stretches, n_rows, n_pairs):
    """Order every word's tokens; fill how many stretches, rows and pairs it has."""
    for b in range(*own_bins):
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[spot]
            first, last = data.starts[f], data.starts[f + 1]
            order_by_labels(first, last, sizes, most, order)
            stretches = 0
            rows = 0
            pairs = 0
            held = longest + 1
            for place in range(first, last):
                m = np.int64(sizes[order[place]])
                if held + m > longest:
                    stretches += 1
                    rows += m
                    held = 0
                held += m
                pairs += m
            n_stretches[f] = stretches
            n_rows[f] = rows
            n_pairs[f] = pairs


@inner
def fill_stretch(
    first, last, first_row, first_pair, data, sizes, label_places, label_nodes, order, words,
    segments,
):  # fmt: skip
    """Fill the pairs of a stretch, a row for each label of its tokens; return where they end."""
    rows, labels, nodes, places = words
    n_nodes = len(segments) - 1
    pair, row = first_pair, first_row
    most = np.int64(sizes[order[first]])
    for i in range(n_nodes + 1):
        segments[i] = 0
    for k in range(most):
        rows[row] = pair
        row += 1
        for place in range(first, last):
            if k >= sizes[order[place]]:
                break  # the tokens behind have fewer labels still
            label = np.int64(data.firsts[order[place]]) + k
            labels[pair] = label_places[label]
            nodes[pair] = label_nodes[label]
            segments[label_nodes[label] + 1] += 1
            pair += 1
    for i in range(n_nodes):
        segments[i + 1] += segments[i]
    filled = np.zeros(n_nodes, np.int64)
    for p in range(first_pair, pair):
        i = nodes[p]
        places[p] = segments[i] + filled[i]
        filled[i] += 1
    return row, pair


@parallel("data.bin_order")
def fill_words(
    own_bins, data, sizes, label_places, label_nodes, longest, order, word_stretches, word_rows,
    word_pairs,
    stretch_words, token_starts, row_starts, counts, rows, labels, nodes, places, segments,
):  # fmt: skip
    """Fill the stretches of all words."""
    words = (rows, labels, nodes, places)
    for b in range(*own_bins):
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[spot]
            first, last = data.starts[f], data.starts[f + 1]
            stretch, row, pair = word_stretches[f], word_rows[f], word_pairs[f]
            held = 0
            begun = first
            for place in range(first, last):
                counts[place] = data.counts[order[place]]
                m = np.int64(sizes[order[place]])
                if held + m > longest:
                    stretch_words[stretch], token_starts[stretch] = f, begun
                    row_starts[stretch] = row
                    row, pair = fill_stretch(
                        begun, place, row, pair, data, sizes, label_places, label_nodes, order,
                        words, segments[stretch],
                    )  # fmt: skip
                    stretch += 1
                    begun = place
                    held = 0
                held += m
            if begun < last:
                stretch_words[stretch], token_starts[stretch] = f, begun
                row_starts[stretch] = row
                fill_stretch(
                    begun, last, row, pair, data, sizes, label_places, label_nodes, order, words,
                    segments[stretch],
                )  # fmt: skip


@parallel("word_starts")
def fill_documents(own_groups, data, slots, lanes, word_starts, words, counts):
    """Lay the words of documents side by side."""
    for group in range(*own_groups):
        flat = data.eights.reshape(-1)
        for lane in range(lanes):
            d = slots[group * lanes + lane]
            if d < 0:
                continue
            place, count = word_starts[group] + lane, first_count(d, data)
            for word in range(data.starts[d], data.starts[d + 1]):
                words[place] = data.words[word]
                counts[place] = flat[count]
                place += lanes
                count += 1
