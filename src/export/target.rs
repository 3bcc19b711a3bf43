//! A file that is written whole or not at all.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::store::Table;

/// Why a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// It is among the files that are open.
    #[error("{0} is one of the input files, which are never written to: name another file")]
    Input(String),
    /// It is a folder.
    #[error("{0} is a folder: name a file in it")]
    Folder(String),
    /// The system refused.
    #[error("{0} cannot be written: {1}")]
    Io(String, #[source] io::Error),
}

/// A file to be. Until it is [kept](Self::keep) there is only a hidden one beside its place, which goes when this is
/// dropped.
#[derive(Debug)]
pub struct Target {
    path: PathBuf,
    to: To,
}

#[derive(Debug)]
enum To {
    Beside(NamedTempFile),
    /// A pipe or a device, which cannot be replaced.
    Direct(File),
}

impl Target {
    /// Begins a file. A file that is there stays as it is until then.
    pub fn open(path: &Path, table: &Table) -> Result<Self, TargetError> {
        let shown = || crate::text::sanitize_line(&path.display().to_string()).into_owned();
        let failed = |e| TargetError::Io(shown(), e);
        let meta = fs::metadata(path).ok();
        if meta.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(TargetError::Folder(shown()));
        }
        // By where it really is: a link to an input file is that file.
        let real = fs::canonicalize(path).ok();
        let is_input =
            |input: &Path| input == path || (real.is_some() && fs::canonicalize(input).ok() == real);
        if table.files.iter().any(|f| is_input(&f.path)) {
            return Err(TargetError::Input(shown()));
        }
        if meta.is_some_and(|m| !m.is_file()) {
            let file = File::options().write(true).open(path).map_err(failed)?;
            return Ok(Self { path: path.to_owned(), to: To::Direct(file) });
        }
        let path = real.unwrap_or_else(|| path.to_owned());
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".").suffix(".part");
        #[cfg(unix)]
        {
            // As any other new file, not only for its owner's eyes; the umask is applied to it.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder).map_err(failed)?;
        Ok(Self { path, to: To::Beside(file) })
    }

    /// Where to write.
    pub fn file(&self) -> &File {
        match &self.to {
            To::Beside(file) => file.as_file(),
            To::Direct(file) => file,
        }
    }

    /// Gives what was written its name, in place of a file that has it.
    pub fn keep(self) -> io::Result<PathBuf> {
        if let To::Beside(file) = self.to {
            file.as_file().sync_all()?;
            file.persist(&self.path).map_err(|e| e.error)?;
        }
        Ok(self.path)
    }

    /// Gives what was written its name; a file that has it already stays, and this one gets a number.
    pub fn keep_beside(self) -> io::Result<PathBuf> {
        let To::Beside(mut file) = self.to else { return Ok(self.path) };
        file.as_file().sync_all()?;
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (stem, end) = name.split_once('.').unwrap_or((&name, ""));
        let mut path = self.path.clone();
        let mut n = 2;
        loop {
            match file.persist_noclobber(&path) {
                Ok(_) => return Ok(path),
                Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists && n < 1_000 => file = e.file,
                Err(e) => return Err(e.error),
            }
            path = self.path.with_file_name(format!("{stem}-{n}.{end}"));
            n += 1;
        }
    }
}
