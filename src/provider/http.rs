//! One POST and the reading of what comes back. Owns time-outs, proxies, redirects (none) and the words for failures below
//! the dialects; knows nothing of models.

use std::error::Error as _;
use std::sync::Once;
use std::time::{Duration, SystemTime};

use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION};
use reqwest::{Response, Url, redirect};
use tokio::time::timeout;

use super::ask::{Auth, Dialect, Endpoint, is_loopback};
use super::fault::{Fault, Kind};
use super::{intake, said, wait};

/// The version of the Messages API whose shapes are read here.
const ANTHROPIC_VERSION: &str = "2023-06-01";

/// Bytes of an error's body that are read.
const ERROR_BYTES: usize = 1 << 20;

/// How long, how often, how much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// For making a connection.
    pub connect: Duration,
    /// Between two pieces of a stream; both providers send a sign of life at least every 30 s.
    pub idle: Duration,
    /// For an answer that is not streamed.
    pub whole: Duration,
    /// Further tries after the first, before anything was shown.
    pub retries: u32,
    /// The longest wait between tries that is waited for.
    pub longest_wait: Duration,
    /// How long a second of waiting lasts: one second, and less in tests.
    pub second: Duration,
    /// Bytes of one event.
    pub frame_bytes: usize,
    /// Bytes of an answer.
    pub answer_bytes: usize,
    /// Requests that one paused turn may take.
    pub rounds: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            idle: Duration::from_secs(180),
            whole: Duration::from_secs(600),
            retries: 2,
            longest_wait: Duration::from_secs(120),
            second: Duration::from_secs(1),
            frame_bytes: intake::FRAME_BYTES,
            answer_bytes: intake::ANSWER_BYTES,
            rounds: 5,
        }
    }
}

/// The client. Cheap to clone; clones share connections.
#[derive(Debug, Clone)]
pub struct Client {
    /// For this machine: a proxy could not reach it.
    direct: reqwest::Client,
    /// For everything else: through the proxy of the environment, if one is set.
    proxied: reqwest::Client,
}

impl Client {
    /// Makes the client.
    ///
    /// # Errors
    /// The system's certificates or proxy settings cannot be used.
    pub fn new(limits: &Limits) -> Result<Self, Fault> {
        static PROVIDER: Once = Once::new();
        PROVIDER.call_once(|| {
            // An error says that one is installed already, which is as good.
            _ = rustls::crypto::ring::default_provider().install_default();
        });
        let builder = || {
            reqwest::Client::builder()
                .user_agent(concat!("lookitup/", env!("CARGO_PKG_VERSION")))
                .redirect(redirect::Policy::none())
                .connect_timeout(limits.connect)
                .tcp_keepalive(Duration::from_secs(60))
        };
        let fault = |e: reqwest::Error| Fault::new(Kind::Unreachable, words(&e));
        Ok(Self {
            direct: builder().no_proxy().build().map_err(fault)?,
            proxied: builder().build().map_err(fault)?,
        })
    }

    /// Sends a body; gives the answer once its head is there.
    ///
    /// # Errors
    /// No connection, nothing in time, or an answer that is no success.
    pub(super) async fn post(
        &self,
        endpoint: &Endpoint,
        url: Url,
        body: String,
        patience: Duration,
    ) -> Result<Answer, Fault> {
        let client = if is_loopback(&url) { &self.direct } else { &self.proxied };
        let request = client.post(url).headers(headers(endpoint)).body(body);
        let response = timeout(patience, request.send())
            .await
            .map_err(|_| too_slow(patience))?
            .map_err(|e| unsent(&e))?;
        let answer = Answer { response, patience };
        if answer.response.status().is_success() { Ok(answer) } else { Err(answer.into_fault().await) }
    }

    /// Whether the host of an endpoint answers at all; its HTTP status. Sends no key.
    ///
    /// # Errors
    /// No connection, or nothing in time.
    pub async fn reach(&self, endpoint: &Endpoint, patience: Duration) -> Result<u16, Fault> {
        let url = endpoint.url()?;
        let client = if is_loopback(&url) { &self.direct } else { &self.proxied };
        let response = timeout(patience, client.get(url).send())
            .await
            .map_err(|_| too_slow(patience))?
            .map_err(|e| unsent(&e))?;
        Ok(response.status().as_u16())
    }
}

fn headers(endpoint: &Endpoint) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if endpoint.dialect == Dialect::Anthropic {
        headers.insert("anthropic-version", HeaderValue::from_static(ANTHROPIC_VERSION));
    }
    if let Some(key) = &endpoint.key {
        let (name, value) = match endpoint.auth {
            Auth::Bearer => (AUTHORIZATION, format!("Bearer {}", key.reveal())),
            Auth::ApiKey => (reqwest::header::HeaderName::from_static("x-api-key"), key.reveal().to_owned()),
        };
        if let Ok(mut value) = HeaderValue::from_str(&value) {
            value.set_sensitive(true);
            headers.insert(name, value);
        }
    }
    headers
}

fn too_slow(patience: Duration) -> Fault {
    Fault::new(Kind::Timeout, format!("nothing came for {patience:.0?}"))
}

/// The innermost reason, without the address, which may hold secrets.
fn words(e: &reqwest::Error) -> String {
    let mut reason: &dyn std::error::Error = e;
    while let Some(inner) = reason.source() {
        reason = inner;
    }
    if e.source().is_none() { "the request failed".to_owned() } else { reason.to_string() }
}

fn unsent(e: &reqwest::Error) -> Fault {
    if e.is_connect() {
        return Fault::new(Kind::Unreachable, words(e));
    }
    if e.is_timeout() {
        return Fault::new(Kind::Timeout, words(e));
    }
    Fault::new(Kind::Dropped, format!("the connection ended before an answer: {}", words(e)))
}

/// An answer whose head is there.
pub(super) struct Answer {
    response: Response,
    patience: Duration,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name).and_then(|v| v.to_str().ok())
    }

    /// The request's id, under either provider's name.
    pub(super) fn request_id(&self) -> Option<String> {
        ["x-request-id", "request-id"].iter().find_map(|n| self.header(n)).map(str::to_owned)
    }

    /// Whether the head says that the body is one JSON object.
    pub(super) fn says_json(&self) -> bool {
        self.header(CONTENT_TYPE.as_str()).is_some_and(|t| t.trim_start().starts_with("application/json"))
    }

    /// Refuses what cannot be read.
    pub(super) fn check(&self) -> Result<(), Fault> {
        match self.header(CONTENT_ENCODING.as_str()) {
            None | Some("" | "identity") => Ok(()),
            Some(how) => Err(Fault::new(
                Kind::NotTheApi,
                format!("the answer is packed ({how}), which was not asked for"),
            )),
        }
    }

    /// How long the next piece may take.
    pub(super) const fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// The next piece of the body; `None` at its end.
    pub(super) async fn chunk(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        match timeout(self.patience, self.response.chunk()).await {
            Err(_) => Err(too_slow(self.patience)),
            Ok(Ok(chunk)) => Ok(chunk.map(|c| c.to_vec())),
            Ok(Err(e)) if e.is_timeout() => Err(Fault::new(Kind::Timeout, words(&e))),
            Ok(Err(e)) => Err(Fault::new(Kind::Dropped, format!("the connection broke: {}", words(&e)))),
        }
    }

    async fn into_fault(mut self) -> Fault {
        let status = self.response.status().as_u16();
        let mut body = Vec::new();
        while body.len() < ERROR_BYTES {
            let Ok(Some(chunk)) = self.chunk().await else { break };
            let room = ERROR_BYTES - body.len();
            body.extend(chunk.into_iter().take(room));
        }
        let mut fault = if (300..400).contains(&status) {
            let to = self.header(LOCATION.as_str()).and_then(|l| Url::parse(l).ok());
            let to = to.as_ref().and_then(Url::host_str).unwrap_or("another address").to_owned();
            Fault::new(
                Kind::NotTheApi,
                format!("HTTP {status}: redirected to {to}; redirects are not followed"),
            )
        } else {
            match self.check() {
                Ok(()) => said::of_body(status, &String::from_utf8_lossy(&body)),
                Err(_) => said::of_body(status, ""),
            }
        };
        fault.status = Some(status);
        fault.wait = wait::asked(self.response.headers(), SystemTime::now());
        fault.should_retry = self.header("x-should-retry").and_then(|v| v.trim().parse().ok());
        fault.request_id = self.request_id().or(fault.request_id);
        fault
    }
}
