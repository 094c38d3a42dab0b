/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// A kernel returned it; the words are those of NAME_strerror.
    Status { kernel: &'static str, status: i32, text: String },
    /// A slice has not as many elements as the sizes say.
    Length { kernel: &'static str, name: &'static str, length: usize },
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Status { kernel, status, text } => write!(f, "{kernel}: {text} (status {status})"),
            Error::Length { kernel, name, length } => {
                write!(f, "{kernel}: {name} has {length} elements, which is not what the sizes say")
            }
        }
    }
}

impl std::error::Error for Error {}

fn done(kernel: &'static str, status: i32, words: unsafe extern "C" fn(i32) -> *const std::os::raw::c_char) -> Result<(), Error> {
    if status == 0 {
        return Ok(());
    }
    let text = unsafe { std::ffi::CStr::from_ptr(words(status)) };
    Err(Error::Status { kernel, status, text: text.to_string_lossy().into_owned() })
}

fn ceil(a: i128, b: i128) -> i128 {
    (a + b - 1).div_euclid(b)
}

/// Elements of so many cells each; the product of the factors is the number of cells.
fn fits(kernel: &'static str, name: &'static str, length: usize, factors: &[i128], block: i128) -> Result<(), Error> {
    let cells = factors.iter().try_fold(1i128, |cells, &n| if n < 0 { None } else { cells.checked_mul(n) });
    if cells.map(|n| ceil(n, block)) == Some(length as i128) {
        return Ok(());
    }
    Err(Error::Length { kernel, name, length })
}
