'use strict';

/** What the user gave cannot be used. The message says what is wrong; no stack is shown. */
class InputError extends Error {}

module.exports = {InputError};
