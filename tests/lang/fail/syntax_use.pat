use ops;
use "ops.pat"
use;
