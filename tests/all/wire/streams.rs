//! Answers written by hand, one for each class: they need nothing beside the project.

use lookitup::provider::{Ask, Dialect, Event, Kind, Limits, Reply};
use lookitup::record::{CallKind, Condition};
use serde_json::{Value, json};

use super::server::{Server, answer, stream};
use super::{ask, question, quick, shown};

/// Frames of a stream. `event:` lines as both providers write them.
pub(crate) fn frames(events: &[Value]) -> Vec<u8> {
    events
        .iter()
        .flat_map(|e| format!("event: {}\ndata: {e}\n\n", e["type"].as_str().unwrap_or("x")).into_bytes())
        .collect()
}

/// An OpenAI answer with a search, an opened page, text in two parts with a citation, and a billed count.
pub(crate) fn openai() -> Vec<Value> {
    let search = json!({"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search",
        "query":"jump record","queries":["jump record","1988 jump record"],
        "sources":[{"type":"url","url":"https://en.wikipedia.org/wiki/High_jump"},{"type":"url","url":"https://a.org/x"},
                   {"type":"api","name":"oai-sports"}]}});
    let page = json!({"type":"web_search_call","id":"ws_2","status":"completed",
        "action":{"type":"open_page","url":"https://a.org/x"}});
    let annotation = json!({"type":"url_citation","start_index":7,"end_index":20,
        "url":"https://en.wikipedia.org/wiki/High_jump?utm_source=openai","title":"High jump"});
    let message = json!({"type":"message","id":"msg_1","role":"assistant","status":"completed","content":[
        {"type":"output_text","text":"Patrik Sjöberg 🏅\n","annotations":[annotation]},
        {"type":"output_text","text":"Confidence: 87%","annotations":[]}]});
    vec![
        json!({"type":"response.created","sequence_number":0,"response":{"id":"resp_1","model":"gpt-4.1-2025-04-14","status":"in_progress","output":[]}}),
        json!({"type":"response.in_progress","sequence_number":1,"response":{"id":"resp_1","model":"gpt-4.1-2025-04-14","status":"in_progress","output":[]}}),
        json!({"type":"response.output_item.added","output_index":0,"item":{"type":"web_search_call","id":"ws_1","status":"in_progress"}}),
        json!({"type":"response.web_search_call.searching","item_id":"ws_1","output_index":0}),
        json!({"type":"keepalive","sequence_number":5}),
        json!({"type":"response.web_search_call.completed","item_id":"ws_1","output_index":0}),
        json!({"type":"response.output_item.done","output_index":0,"item":search}),
        json!({"type":"response.output_item.added","output_index":1,"item":{"type":"web_search_call","id":"ws_2","status":"in_progress"}}),
        json!({"type":"response.output_item.done","output_index":1,"item":page}),
        json!({"type":"response.a_type_of_tomorrow","x":[1,2,{"y":null}]}),
        json!({"type":"response.output_item.added","output_index":2,"item":{"type":"message","id":"msg_1","content":[]}}),
        json!({"type":"response.output_text.delta","output_index":2,"content_index":0,"delta":"Patrik Sj"}),
        json!({"type":"response.output_text.delta","output_index":2,"content_index":0,"delta":"öberg 🏅\n"}),
        json!({"type":"response.output_text.annotation.added","output_index":2,"content_index":0,"annotation_index":0,"annotation":annotation}),
        json!({"type":"response.output_text.delta","output_index":2,"content_index":1,"delta":"Confi"}),
        json!({"type":"response.output_text.delta","output_index":2,"content_index":1,"delta":"dence: 8"}),
        json!({"type":"response.output_text.delta","output_index":2,"content_index":1,"delta":"7%"}),
        json!({"type":"response.output_item.done","output_index":2,"item":message}),
        json!({"type":"response.completed","response":{"id":"resp_1","model":"gpt-4.1-2025-04-14","status":"completed","output":[search,page,message],
            "usage":{"input_tokens":9000,"input_tokens_details":{"cached_tokens":1000},"output_tokens":50,"output_tokens_details":{"reasoning_tokens":0}},
            "tool_usage":{"web_search":{"num_requests":2}}}}),
    ]
}

/// An Anthropic answer: a remark, two searches of which one fails, a text of three blocks with a citation.
pub(crate) fn anthropic() -> Vec<Value> {
    vec![
        json!({"type":"message_start","message":{"id":"msg_1","model":"claude-haiku-4-5-20251001","content":[],"stop_reason":null,"usage":{"input_tokens":2000,"output_tokens":1}}}),
        json!({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}),
        json!({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"I will look that up."}}),
        json!({"type":"content_block_stop","index":0}),
        json!({"type":"ping"}),
        json!({"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}}}),
        json!({"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}),
        json!({"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"que"}}),
        json!({"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"ry\": \"jump record 1988\"}"}}),
        json!({"type":"content_block_stop","index":1}),
        json!({"type":"content_block_start","index":2,"content_block":{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[
            {"type":"web_search_result","url":"https://en.wikipedia.org/wiki/High_jump","title":"High jump","page_age":"April 30, 2025","encrypted_content":"abc=="},
            {"type":"web_search_result","url":"https://a.org/x","title":null,"page_age":null,"encrypted_content":"def=="}]}}),
        json!({"type":"content_block_stop","index":2}),
        json!({"type":"content_block_start","index":3,"content_block":{"type":"server_tool_use","id":"srvtoolu_2","name":"web_search","input":{"query":"again"}}}),
        json!({"type":"content_block_stop","index":3}),
        json!({"type":"content_block_start","index":4,"content_block":{"type":"web_search_tool_result","tool_use_id":"srvtoolu_2","content":{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}}}),
        json!({"type":"content_block_stop","index":4}),
        json!({"type":"content_block_start","index":5,"content_block":{"type":"block_of_tomorrow","x":1}}),
        json!({"type":"content_block_stop","index":5}),
        json!({"type":"content_block_start","index":6,"content_block":{"type":"text","text":"","citations":[]}}),
        json!({"type":"content_block_delta","index":6,"delta":{"type":"citations_delta","citation":{"type":"web_search_result_location","url":"https://en.wikipedia.org/wiki/High_jump","title":"High jump","cited_text":"In 1987 …","encrypted_index":"xyz=="}}}),
        json!({"type":"content_block_delta","index":6,"delta":{"type":"text_delta","text":"Patrik Sj"}}),
        json!({"type":"content_block_delta","index":6,"delta":{"type":"text_delta","text":"öberg"}}),
        json!({"type":"content_block_stop","index":6}),
        json!({"type":"content_block_start","index":7,"content_block":{"type":"text","text":"\nConfi"}}),
        json!({"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"dence: 87%"}}),
        json!({"type":"content_block_stop","index":7}),
        json!({"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":9000,"output_tokens":90,"server_tool_use":{"web_search_requests":1}}}),
        json!({"type":"message_stop"}),
    ]
}

pub(super) fn both() -> [(Dialect, Vec<Value>); 2] {
    [(Dialect::OpenAi, openai()), (Dialect::Anthropic, anthropic())]
}

/// Serves bytes as a stream and asks once.
fn streamed(dialect: Dialect, body: Vec<u8>, limits: Limits) -> (Vec<Event>, Reply) {
    let server = Server::new(move |_, _| stream(&body));
    ask(dialect, &server.base, limits, question(dialect))
}

#[test]
fn an_openai_search_is_read_and_shown() {
    let (events, reply) = streamed(Dialect::OpenAi, frames(&openai()), quick());
    assert_eq!(reply.raw, "Patrik Sjöberg 🏅\nConfidence: 87%");
    assert_eq!(shown(&events), reply.raw);
    assert_eq!((reply.answer.as_deref(), reply.confidence), (Some("Patrik Sjöberg 🏅"), Some(0.87)));
    assert_eq!(reply.stop.as_deref(), Some("completed"));
    assert_eq!(reply.error, None);
    let [search, page] = reply.search_calls.as_slice() else { panic!("{:?}", reply.search_calls) };
    assert_eq!(search.queries, ["jump record", "1988 jump record"]);
    assert_eq!(search.status.as_deref(), Some("ok"));
    let cited: Vec<_> = search.results.iter().map(|r| (r.url.as_str(), r.cited)).collect();
    assert_eq!(
        cited,
        [
            ("https://en.wikipedia.org/wiki/High_jump", Some(true)),
            ("https://a.org/x", Some(false)),
            ("oai-sports", Some(false))
        ]
    );
    assert_eq!((page.kind, page.url.as_deref()), (CallKind::OpenPage, Some("https://a.org/x")));
    assert_eq!(reply.citations.len(), 1);
    assert_eq!(reply.usage.search_requests, Some(2), "the provider's count, not the number of calls");
    // 8,000 fresh tokens at 2, 1,000 cached at 0.5, 50 written at 8 a million; two searches at 10 a thousand.
    assert!(
        (reply.cost_usd.unwrap() - (0.016 + 0.000_5 + 0.000_4 + 0.02)).abs() < 1e-9,
        "{:?}",
        reply.cost_usd
    );
    assert!(reply.first_ms.unwrap() <= reply.total_ms.unwrap());
    let kinds: Vec<&str> = events.iter().map(name).collect();
    let at = |kind| kinds.iter().position(|k| *k == kind).unwrap_or_else(|| panic!("{kind}: {kinds:?}"));
    let order =
        ["sent", "accepted", "first", "started", "query", "results", "page", "text", "citation", "usage"];
    assert!(order.windows(2).all(|w| at(w[0]) < at(w[1])), "{kinds:?}");
}

#[test]
fn an_anthropic_search_is_read_and_shown() {
    let (events, reply) = streamed(Dialect::Anthropic, frames(&anthropic()), quick());
    assert_eq!(reply.raw, "I will look that up.Patrik Sjöberg\nConfidence: 87%");
    assert_eq!(shown(&events), reply.raw);
    assert_eq!((reply.answer.as_deref(), reply.confidence), (Some("Patrik Sjöberg"), Some(0.87)));
    let [first, second] = reply.search_calls.as_slice() else { panic!("{:?}", reply.search_calls) };
    assert_eq!((first.query.as_deref(), second.query.as_deref()), (Some("jump record 1988"), Some("again")));
    assert_eq!(first.results[0].published.as_deref(), Some("April 30, 2025"));
    assert_eq!((first.results[0].cited, first.results[1].cited), (Some(true), Some(false)));
    assert_eq!(
        (second.status.as_deref(), second.error.as_deref()),
        (Some("error"), Some("max_uses_exceeded"))
    );
    assert_eq!(reply.citations[0].quote.as_deref(), Some("In 1987 …"));
    assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (Some(9000), Some(90)));
    assert_eq!(reply.stop.as_deref(), Some("end_turn"));
    assert!(events.contains(&Event::SearchError { n: 2, code: "max_uses_exceeded".into() }));
    assert!(reply.notes.iter().any(|n| n.contains("search cap reached")));
    assert!((reply.cost_usd.unwrap() - (0.009 + 0.000_45 + 0.01)).abs() < 1e-9, "{:?}", reply.cost_usd);
}

#[test]
fn one_object_gives_what_the_stream_gives() {
    let last = openai().pop().unwrap()["response"].clone();
    let whole = json!({"id":"msg_1","type":"message","model":"claude-haiku-4-5-20251001","stop_reason":"end_turn",
        "usage":{"input_tokens":9000,"output_tokens":90,"server_tool_use":{"web_search_requests":1}},
        "content":[{"type":"text","text":"I will look that up."},
            {"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"jump record 1988"}},
            anthropic()[10]["content_block"], anthropic()[12]["content_block"], anthropic()[14]["content_block"],
            {"type":"text","text":"Patrik Sjöberg","citations":[anthropic()[19]["delta"]["citation"]]},
            {"type":"text","text":"\nConfidence: 87%"}]});
    for ((dialect, events), body) in both().into_iter().zip([last, whole]) {
        let (_, of_stream) = streamed(dialect, frames(&events), quick());
        for asked_stream in [false, true] {
            let body = body.to_string();
            // A server that ignores the wish for a stream, and one that forgets to say what it sends.
            let kind = if asked_stream { "text/plain" } else { "application/json; charset=utf-8" };
            let server = Server::new(move |_, _| answer(200, &[("content-type", kind)], body.as_bytes()));
            let asked = Ask { stream: asked_stream, ..question(dialect) };
            let (_, reply) = ask(dialect, &server.base, quick(), asked);
            assert_eq!(settled(reply), settled(of_stream.clone()), "{dialect:?}");
        }
    }
}

/// A reply without what differs from time to time and from request to request. Places of citations within an answer
/// depend on how its blocks are counted, their order does not.
pub(super) fn settled(mut reply: Reply) -> Reply {
    (reply.first_ms, reply.total_ms, reply.request) = (None, None, None);
    reply
}

fn name(event: &Event) -> &'static str {
    match event {
        Event::Sent { .. } => "sent",
        Event::Accepted { .. } => "accepted",
        Event::FirstOutput { .. } => "first",
        Event::SearchStarted { .. } => "started",
        Event::SearchQuery { .. } => "query",
        Event::Page { .. } => "page",
        Event::SearchResults { .. } => "results",
        Event::SearchError { .. } => "search error",
        Event::Text(_) => "text",
        Event::Replaced(_) => "replaced",
        Event::Citation(_) => "citation",
        Event::Reasoning(_) => "reasoning",
        Event::Usage(_) => "usage",
        Event::Continued { .. } => "continued",
        Event::RetryWait { .. } => "retry",
        Event::Note(_) => "note",
        Event::End(_) => "end",
    }
}

#[test]
fn refusals_and_cut_answers_say_so() {
    let refused = vec![
        json!({"type":"response.created","response":{"id":"r","model":"m"}}),
        json!({"type":"response.refusal.delta","delta":"I can't "}),
        json!({"type":"response.refusal.done","refusal":"I can't help."}),
        json!({"type":"response.completed","response":{"status":"completed","output":[]}}),
    ];
    let (_, reply) = streamed(Dialect::OpenAi, frames(&refused), quick());
    assert_eq!((reply.kind(), reply.answer), (Some(Kind::Refusal), None));
    assert_eq!(reply.error.unwrap().message, "I can't help.");
    let cut = vec![
        json!({"type":"response.output_text.delta","delta":"Answer: A\nConfidence: 90%\nConfidence: 9"}),
        json!({"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}}),
    ];
    let (_, reply) = streamed(Dialect::OpenAi, frames(&cut), quick());
    assert_eq!((reply.stop.as_deref(), reply.error.clone()), (Some("incomplete"), None));
    assert_eq!(reply.confidence, Some(0.9), "half a line is not read");
    assert_eq!(reply.extra["incomplete_reason"], "max_output_tokens");
    let filtered = json!({"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}});
    let (_, reply) = streamed(Dialect::OpenAi, frames(&[filtered]), quick());
    assert_eq!(reply.kind(), Some(Kind::Refusal));
    let mut refused = anthropic();
    let end = refused.len() - 2;
    refused[end]["delta"] = json!({"stop_reason":"refusal","stop_details":{"type":"refusal","category":"cyber","explanation":"Not this."}});
    let (_, reply) = streamed(Dialect::Anthropic, frames(&refused), quick());
    assert_eq!((reply.kind(), reply.stop.as_deref()), (Some(Kind::Refusal), Some("refusal")));
    assert_eq!(reply.error.unwrap().message, "Not this.");
}

#[test]
fn data_alone_and_done_are_enough() {
    for (dialect, events) in both() {
        let mut bytes: Vec<u8> = events.iter().flat_map(|e| format!("data:{e}\n\n").into_bytes()).collect();
        bytes.extend_from_slice(b": a comment\n\ndata: [DONE]\n\n");
        let (_, reply) = streamed(dialect, bytes, quick());
        let (_, usual) = streamed(dialect, frames(&events), quick());
        assert_eq!(settled(reply), settled(usual));
    }
}

#[test]
fn an_error_within_a_stream_is_the_end() {
    for (event, kind) in [
        (
            json!({"type":"error","sequence_number":2,"error":{"type":"tokens","code":"rate_limit_exceeded","message":"m"}}),
            Kind::RateLimited,
        ),
        (json!({"type":"error","code":"server_error","message":"m","param":null}), Kind::Server),
        (json!({"error":{"code":402,"message":"m"}}), Kind::NoQuota),
        (json!({"error":"m"}), Kind::Server),
        (
            json!({"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"m"}}}),
            Kind::Server,
        ),
    ] {
        let mut events = openai();
        events.truncate(12);
        events.push(event.clone());
        let (_, reply) = streamed(Dialect::OpenAi, frames(&events), quick());
        assert_eq!(reply.kind(), Some(kind), "{event}");
        assert_eq!(
            (reply.raw.as_str(), reply.answer),
            ("Patrik Sj", None),
            "what came is kept and not scored"
        );
    }
    let mut events = anthropic();
    events.truncate(21);
    events.push(json!({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_7"}));
    let (_, reply) = streamed(Dialect::Anthropic, frames(&events), quick());
    assert_eq!(reply.kind(), Some(Kind::Overloaded));
    assert!(reply.request_id.is_some());
    assert_eq!(reply.search_calls.len(), 2);
}

#[test]
fn a_stream_that_begins_twice_is_read_from_its_second_beginning() {
    let mut events = anthropic();
    events.truncate(3);
    events.extend(anthropic());
    let (shown_events, reply) = streamed(Dialect::Anthropic, frames(&events), quick());
    assert_eq!(reply.raw, "I will look that up.Patrik Sjöberg\nConfidence: 87%");
    assert_eq!(shown(&shown_events), reply.raw);
    assert!(reply.notes.iter().any(|n| n.contains("second time")));
}

#[test]
fn the_end_of_a_stream_wins_over_its_pieces() {
    let mut events = openai();
    events[11]["delta"] = json!("Peter Sj");
    let (shown_events, reply) = streamed(Dialect::OpenAi, frames(&events), quick());
    assert!(reply.raw.starts_with("Patrik"));
    assert_eq!(shown(&shown_events), reply.raw);
}

#[test]
fn a_stream_that_counts_its_items_otherwise_than_its_end_is_read_once() {
    let mut events = openai();
    let at = |e: &Value| e["type"] == "response.completed";
    let end = events.iter_mut().find(|e| at(e)).unwrap();
    let output = end["response"]["output"].as_array_mut().unwrap();
    // A server that leaves out all but the message at the end: what was item 3 is item 0 there.
    output.retain(|item| item["type"] == "message");
    let (shown_events, reply) = streamed(Dialect::OpenAi, frames(&events), quick());
    let (_, usual) = streamed(Dialect::OpenAi, frames(&openai()), quick());
    assert_eq!(reply.raw, usual.raw);
    assert_eq!(shown(&shown_events), usual.raw);
    assert_eq!((reply.citations.len(), reply.answer), (usual.citations.len(), usual.answer));
    assert!(!shown_events.iter().any(|e| matches!(e, Event::Replaced(_))), "nothing changed on the screen");
}

#[test]
fn a_stream_that_is_called_json_is_a_stream_all_the_same() {
    for (dialect, events) in both() {
        let body = frames(&events);
        let server = Server::new(move |_, _| answer(200, &[("content-type", "application/json")], &body));
        let (_, reply) = ask(dialect, &server.base, quick(), question(dialect));
        let (_, usual) = streamed(dialect, frames(&events), quick());
        assert_eq!(settled(reply), settled(usual));
    }
}

#[test]
fn phases_keep_remarks_out_of_the_answer_and_in_the_text() {
    let message = |phase: &str, text: &str| json!({"type":"message","phase":phase,"content":[{"type":"output_text","text":text}]});
    let body = json!({"status":"completed","output":[message("commentary", "Answer: X? Let me see. "), message("final_answer", "Y\nConfidence: 60%")]});
    let server = Server::new(move |_, _| answer(200, &[], body.to_string().as_bytes()));
    let asked = Ask { stream: false, ..question(Dialect::OpenAi) };
    let (_, reply) = ask(Dialect::OpenAi, &server.base, quick(), asked);
    assert_eq!(reply.raw, "Answer: X? Let me see. Y\nConfidence: 60%");
    assert_eq!(reply.answer.as_deref(), Some("Y"));
}

#[test]
fn a_paused_turn_is_gone_on_with_in_the_same_bytes() {
    // Blocks with unknown fields, odd spacing, escapes and numbers that a re-writing would change.
    let result = r#"{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[ {"type":"web_search_result","url":"https:\/\/a.org","title":"\u00e9","encrypted_content":"A+/=","n":1.50,"big":12345678901234567890123} ]}"#;
    let first = [
        r#"{"type":"message_start","message":{"id":"m1","model":"claude-haiku-4-5","usage":{"input_tokens":10,"output_tokens":1}}}"#.to_owned(),
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":"","new":1e2}}"#.to_owned(),
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}"#.to_owned(),
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}"#.to_owned(),
        r#"{"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{},"caller":{"type":"direct"}}}"#.to_owned(),
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"query\": "}}"#.to_owned(),
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"x\", \"k\":1.0}"}}"#.to_owned(),
        r#"{"type":"content_block_stop","index":1}"#.to_owned(),
        format!(r#"{{"type":"content_block_start","index":2,"content_block":{result}}}"#),
        r#"{"type":"content_block_start","index":3,"content_block":{"type":"server_tool_use","id":"srvtoolu_2","name":"web_search","input":{"query":"y"}}}"#.to_owned(),
        r#"{"type":"message_delta","delta":{"stop_reason":"pause_turn"},"usage":{"output_tokens":5,"server_tool_use":{"web_search_requests":1}}}"#.to_owned(),
        r#"{"type":"message_stop"}"#.to_owned(),
    ];
    let first: Vec<u8> = first.iter().flat_map(|f| format!("data: {f}\n\n").into_bytes()).collect();
    let second = frames(&[
        json!({"type":"message_start","message":{"id":"m2","model":"claude-haiku-4-5","usage":{"input_tokens":20,"output_tokens":1}}}),
        json!({"type":"content_block_start","index":0,"content_block":{"type":"web_search_tool_result","tool_use_id":"srvtoolu_2","content":[]}}),
        json!({"type":"content_block_start","index":1,"content_block":{"type":"text","text":"Z\nConfidence: 50%"}}),
        json!({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":7,"server_tool_use":{"web_search_requests":1}}}),
        json!({"type":"message_stop"}),
    ]);
    let server = Server::new(move |_, n| stream(if n == 0 { &first } else { &second }));
    let (events, reply) = ask(Dialect::Anthropic, &server.base, quick(), question(Dialect::Anthropic));
    assert_eq!((reply.raw.as_str(), reply.confidence, reply.error), ("Z\nConfidence: 50%", Some(0.5), None));
    assert_eq!((reply.usage.input_tokens, reply.usage.output_tokens), (Some(30), Some(12)), "rounds add up");
    assert_eq!(reply.usage.search_requests, Some(2));
    assert_eq!(reply.search_calls.len(), 2, "a result in the second round belongs to a call of the first");
    assert!(events.contains(&Event::Continued { round: 2 }));
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    let sent = &requests[1].body;
    let content = format!(
        r#"{{"role":"assistant","content":[{{"type":"thinking","thinking":"hm","signature":"c2ln","new":1e2}},{{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{{"query": "x", "k":1.0}},"caller":{{"type":"direct"}}}},{result},{{"type":"server_tool_use","id":"srvtoolu_2","name":"web_search","input":{{"query":"y"}}}}]}}"#
    );
    assert!(sent.contains(&content), "{sent}\n{content}");
    let (one, two): (Value, Value) =
        (serde_json::from_str(&requests[0].body).unwrap(), serde_json::from_str(sent).unwrap());
    assert_eq!(one["tools"], two["tools"]);
    assert_eq!(two["messages"].as_array().unwrap().len(), 2, "no further turn of the user");
}

#[test]
fn a_turn_that_pauses_for_ever_is_left_unfinished() {
    let paused = frames(&[
        json!({"type":"message_start","message":{"id":"m","model":"m","usage":{"input_tokens":1,"output_tokens":1}}}),
        json!({"type":"message_delta","delta":{"stop_reason":"pause_turn"},"usage":{"output_tokens":1}}),
        json!({"type":"message_stop"}),
    ]);
    let server = Server::new(move |_, _| stream(&paused));
    let (_, reply) = ask(Dialect::Anthropic, &server.base, quick(), question(Dialect::Anthropic));
    assert_eq!(server.requests().len(), 5);
    assert_eq!((reply.stop.as_deref(), reply.answer.clone()), (Some("pause_turn"), None));
    assert!(reply.notes.iter().any(|n| n.contains("unfinished")));
}

#[test]
fn no_search_although_offered_is_said() {
    let body = json!({"status":"completed","output":[{"type":"message","content":[{"type":"output_text","text":"Y"}]}]});
    let server = Server::new(move |_, _| answer(200, &[], body.to_string().as_bytes()));
    let (_, reply) = ask(Dialect::OpenAi, &server.base, quick(), question(Dialect::OpenAi));
    assert!(reply.made_no_search());
    assert!(reply.notes.iter().any(|n| n.contains("no search was made")));
    let without = Ask { condition: Condition::NoSearch, ..question(Dialect::OpenAi) };
    let (_, reply) = ask(Dialect::OpenAi, &server.base, quick(), without);
    assert!(reply.notes.is_empty() && !reply.made_no_search());
}
