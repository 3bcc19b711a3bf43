"""Makes foreign.parquet and lz4.parquet: attempts as a data frame writes them. Needs pyarrow; run in this folder."""

import datetime

import pyarrow as pa
import pyarrow.parquet as pq

call = pa.struct([
    ("n", pa.int64()),
    ("kind", pa.string()),
    ("query", pa.string()),
    ("results", pa.list_(pa.struct([("url", pa.string()), ("title", pa.string()), ("cited", pa.bool_())]))),
])
schema = pa.schema([
    ("question_id", pa.string()),
    ("question", pa.string()),
    ("references", pa.list_(pa.string())),
    ("model", pa.dictionary(pa.int32(), pa.string())),
    ("condition", pa.string()),
    ("attempt", pa.int8()),
    ("answer", pa.large_string()),
    ("confidence", pa.float32()),
    ("search_calls", pa.list_(call)),
    ("usage", pa.struct([("input_tokens", pa.int64()), ("output_tokens", pa.int64())])),
    ("cost_usd", pa.decimal128(9, 4)),
    ("latency_ms", pa.int64()),
    ("error", pa.string()),
    ("created_at", pa.timestamp("ns", "UTC")),
    ("correct", pa.bool_()),
    ("rater", pa.string()),
    ("tags", pa.map_(pa.string(), pa.int32())),
    ("took", pa.time64("ns")),
])
base = dict.fromkeys(schema.names)
moment = datetime.datetime(2026, 11, 30, 5, 12, tzinfo=datetime.timezone.utc)
searched = [
    {"n": 1, "kind": "search", "query": "mens high jump record 1988",
     "results": [{"url": "https://a.example/1", "title": "One", "cited": True}, {"url": "https://b.example/2", "cited": None}]},
    {"n": 2, "kind": "open_page", "query": None, "results": []},
    {"n": 3, "kind": "search", "query": "Ωmega 'quoted' = record", "results": [{"url": "https://c.example", "cited": False}]},
]
both = base | {"question": "Who held it?", "references": ["Sjöberg", "Patrik Sjöberg"], "model": "m-1", "attempt": 1,
               "created_at": moment, "tags": [("a", 1)], "took": datetime.time(1, 2, 3)}
rows = [
    both | {"question_id": "q1", "condition": "no_search", "answer": "Sjöberg", "confidence": 0.92, "search_calls": [],
            "usage": {"input_tokens": 10, "output_tokens": 5}, "cost_usd": 0, "latency_ms": 1200, "correct": True},
    both | {"question_id": "q1", "condition": "with_search", "answer": "Sotomayor", "confidence": 0.5, "search_calls": searched,
            "usage": {"input_tokens": 100, "output_tokens": None}, "cost_usd": 1, "rater": "=1+1", "correct": False},
    both | {"question_id": None, "condition": "no_search", "answer": "nobody"},
    both | {"question_id": "q2", "condition": "with_search", "references": None, "error": "rate_limited"},
    both | {"question_id": "q3", "condition": "perhaps", "answer": "x"},
    both | {"question_id": "q4", "condition": "no_search", "answer": "", "confidence": float("nan"), "references": []},
]
table = pa.Table.from_pylist(rows, schema=schema)
pq.write_table(table, "foreign.parquet", compression="snappy", row_group_size=4, store_schema=False)
pq.write_table(table.select(["question_id", "model", "condition", "answer"]).slice(0, 2), "lz4.parquet", compression="lz4",
               store_schema=False)
