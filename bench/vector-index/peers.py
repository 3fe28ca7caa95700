"""Makes vectors for `npm run bench:vector-index`, and asks usearch and hnswlib for the nearest of them, each in one thread.

make <kind> <vectors> <dimensions> <queries> <file>: 32-bit floats, the queries behind the vectors. Kinds: gaussians, texts, duplicates.
ask <file> <vectors> <dimensions> <cosine|euclidean> <recall>: prints JSON, a member for each peer.
"""

import json
import pathlib
import sys
import time

import numpy as np

K = 10
SEED = 7


def gaussians(count, dimensions, random):
    centres = random.normal(size=(1000, dimensions)).astype(np.float32)
    spread = (0.3 + 0.9 * random.random(1000)).astype(np.float32)
    which = random.integers(0, 1000, count)
    vectors = centres[which]
    for start in range(0, count, 50_000):
        part = slice(start, start + 50_000)
        noise = random.normal(size=vectors[part].shape).astype(np.float32)
        vectors[part] += spread[which[part], None] * noise
    return vectors


def duplicates(count, dimensions, random):
    """Many equal vectors, and many that are almost equal to others."""
    distinct = random.normal(size=(max(1, count // 500), dimensions)).astype(np.float32)
    vectors = distinct[random.integers(0, len(distinct), count)]
    near = random.random(count) < 0.3
    vectors[near] += 1e-3 * random.normal(size=(near.sum(), dimensions)).astype(np.float32)
    return vectors


def texts(count, dimensions, random):
    """Latent semantic analysis of what documents of this machine say, paragraph by paragraph; paragraphs are joined at random where there are too few."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    root = pathlib.Path(__file__).resolve().parents[2]
    paragraphs = []
    for pattern in ("docs/**/*.md", "node_modules/**/*.md", "node_modules/**/*.d.ts", "src/**/*.ts"):
        for path in sorted(root.glob(pattern)):
            if path.is_file():
                text = path.read_text(errors="ignore")
                paragraphs += [part for part in text.split("\n\n") if len(part) > 120]
    if len(paragraphs) > count:
        paragraphs = [paragraphs[i] for i in random.choice(len(paragraphs), count, replace=False)]
    first = len(paragraphs)
    while len(paragraphs) < count:
        a, b = random.integers(0, first, 2)
        paragraphs.append(paragraphs[a][:400] + " " + paragraphs[b][:400])
    matrix = TfidfVectorizer(max_features=20_000, sublinear_tf=True).fit_transform(paragraphs)
    vectors = TruncatedSVD(dimensions, random_state=SEED, n_iter=2).fit_transform(matrix).astype(np.float32)
    vectors[np.linalg.norm(vectors, axis=1) == 0] = 1e-3
    return vectors[random.permutation(count)]


def make(kind, count, dimensions, queries, file):
    random = np.random.default_rng(SEED)
    KINDS[kind](count + queries, dimensions, random).astype(np.float32).tofile(file)


KINDS = {"gaussians": gaussians, "texts": texts, "duplicates": duplicates}


def truth(vectors, queries, similarity, allowed=None):
    """The score of the tenth best of each query, and a function that scores."""
    found = []
    for query in queries:
        scores = score(vectors, query, similarity)
        if allowed is not None:
            scores = scores[allowed]
        found.append(np.partition(scores, -K)[-K])
    return found


def score(vectors, query, similarity):
    if similarity == "cosine":
        return vectors @ (query / np.linalg.norm(query))
    return -((vectors - query) ** 2).sum(axis=1)


def timed(ask, queries):
    times, answers = [], []
    for query in queries:
        start = time.perf_counter()
        answers.append(ask(query))
        times.append((time.perf_counter() - start) * 1000)
    return float(np.median(times)), answers


def recall_of(answers, vectors, queries, tenth, similarity):
    hits = 0
    for keys, query, least in zip(answers, queries, tenth):
        hits += min(K, int((score(vectors[keys], query, similarity) >= least - 1e-5).sum()))
    return hits / (K * len(queries))


def ask(file, count, dimensions, similarity, wanted):
    data = np.fromfile(file, dtype=np.float32).reshape(-1, dimensions)
    vectors, queries = data[:count], data[count:]
    if similarity == "cosine":
        vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-30)
    tenth = truth(vectors, queries, similarity)
    allowed = np.arange(3, count, 100)
    tenth_filtered = truth(vectors, queries, similarity, allowed)
    result = {}
    for name, peer in (("usearch", usearch), ("hnswlib", hnswlib)):
        start = time.perf_counter()
        search = peer(vectors, similarity)
        built = time.perf_counter() - start
        row = {"build": built}
        for width in (10, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 1024, 2048):
            p50, answers = timed(lambda query: search(query, K, width), queries)
            recall = recall_of(answers, vectors, queries, tenth, similarity)
            row |= {"p50": p50, "recall": recall, "width": width}
            if recall >= wanted:
                break

        def filtered(query):
            most = 1024
            while True:
                keys = search(query, min(most, count), max(most, row["width"]))
                keys = keys[keys % 100 == 3][:K]
                if len(keys) == K or most >= count:
                    return keys
                most *= 2

        p50, answers = timed(filtered, queries)
        row |= {"filtered": p50, "filtered_recall": recall_of(answers, vectors, queries, tenth_filtered, similarity)}
        result[name] = row
        del search
    print(json.dumps(result))


def usearch(vectors, similarity):
    from usearch.index import Index

    index = Index(ndim=vectors.shape[1], metric="cos" if similarity == "cosine" else "l2sq", dtype="f32")
    index.add(np.arange(len(vectors)), vectors, threads=1)

    def search(query, k, width):
        index.expansion_search = max(width, k)
        return np.asarray(index.search(query, k, threads=1).keys)

    return search


def hnswlib(vectors, similarity):
    import hnswlib as library

    index = library.Index(space="cosine" if similarity == "cosine" else "l2", dim=vectors.shape[1])
    index.init_index(max_elements=len(vectors), ef_construction=128, M=16)
    index.set_num_threads(1)
    index.add_items(vectors, num_threads=1)

    def search(query, k, width):
        index.set_ef(max(width, k))
        return index.knn_query(query, k=k, num_threads=1)[0][0]

    return search


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5]), sys.argv[6])
    else:
        ask(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5], float(sys.argv[6]))
