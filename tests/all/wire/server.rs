//! A server on this machine that says what it is told to, piece by piece.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request that came.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: String,
}

/// What is done with a connection after its request was read.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Send(Vec<u8>),
    /// One write for each byte.
    Trickle(Vec<u8>),
    /// Waits until the client goes away.
    Stall,
    /// Ends the connection where its head promised more.
    Reset,
    /// Resets the connection once what was sent had time to arrive: what is on its way then is lost.
    Abort,
    /// Sends this again and again until the client goes away.
    Forever(Vec<u8>),
}

pub(crate) struct Server {
    pub(crate) base: String,
    requests: Arc<Mutex<Vec<Request>>>,
}

/// A whole answer.
pub(crate) fn answer(status: u16, headers: &[(&str, &str)], body: &[u8]) -> Vec<Step> {
    let mut head =
        format!("HTTP/1.1 {status} Said\r\nconnection: close\r\ncontent-length: {}\r\n", body.len());
    for (name, value) in headers {
        head.extend([*name, ": ", *value, "\r\n"]);
    }
    head += "\r\n";
    vec![Step::Send(head.into_bytes()), Step::Send(body.to_vec())]
}

/// The head of a stream whose end is the connection's.
pub(crate) fn stream_head() -> Step {
    Step::Send(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\r\n".to_vec())
}

pub(crate) fn stream(body: &[u8]) -> Vec<Step> {
    vec![stream_head(), Step::Send(body.to_vec())]
}

impl Server {
    /// `script` gets each request and its number from 0.
    pub(crate) fn new(script: impl Fn(&Request, usize) -> Vec<Step> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (kept, script) = (Arc::clone(&requests), Arc::new(script));
        std::thread::spawn(move || {
            for connection in listener.incoming() {
                let Ok(connection) = connection else { return };
                let (kept, script) = (Arc::clone(&kept), Arc::clone(&script));
                std::thread::spawn(move || {
                    let mut connection = connection;
                    let Some(request) = read(&mut connection) else { return };
                    let n = {
                        let mut kept = kept.lock().unwrap();
                        kept.push(request.clone());
                        kept.len() - 1
                    };
                    for step in script(&request, n) {
                        if act(&mut connection, step).is_none() {
                            return;
                        }
                    }
                    _ = connection.shutdown(Shutdown::Both);
                });
            }
        });
        Self { base, requests }
    }

    /// The requests so far.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }
}

fn act(connection: &mut TcpStream, step: Step) -> Option<()> {
    match step {
        Step::Send(bytes) => connection.write_all(&bytes).ok(),
        Step::Trickle(bytes) => {
            connection.set_nodelay(true).ok()?;
            bytes.chunks(1).try_for_each(|b| connection.write_all(b).ok())
        }
        Step::Stall => {
            let mut rest = [0; 64];
            while connection.read(&mut rest).ok()? > 0 {}
            None
        }
        // A body shorter than its head says: to the client a broken connection.
        Step::Reset => {
            _ = connection.shutdown(Shutdown::Both);
            None
        }
        Step::Abort => {
            let socket = socket2::SockRef::from(&*connection);
            socket.set_linger(Some(std::time::Duration::ZERO)).ok()?;
            None
        }
        Step::Forever(bytes) => {
            while connection.write_all(&bytes).is_ok() {}
            None
        }
    }
}

fn read(connection: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let end = bytes.windows(4).position(|w| w == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let length = head
                .lines()
                .find_map(|l| l.to_ascii_lowercase().strip_prefix("content-length:").map(str::to_owned))
                .map_or(0, |l| l.trim().parse().unwrap());
            if bytes.len() >= end + 4 + length {
                let body = String::from_utf8_lossy(&bytes[end + 4..end + 4 + length]).into_owned();
                return Some(Request { head, body });
            }
        }
        let n = connection.read(&mut piece).ok()?;
        if n == 0 {
            return None;
        }
        bytes.extend_from_slice(&piece[..n]);
    }
}
