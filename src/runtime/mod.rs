//! The one loop: terminal, threads, clipboard, effects.
