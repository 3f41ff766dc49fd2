// Checks an encoding.json before it is used, so that what is wrong with it is named.
'use strict';
const {InputError} = require('./input_error');
const {TERMS} = require('./position');

const FORMAT = 1;

/** Throws unless `json` is a description that position.js can read. */
function checkDescription(json) {
  const refuse = (reason) => {
    throw new InputError(`encoding.json: ${reason}`);
  };
  const object = (value, what) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      refuse(`${what} is not an object`);
  };
  const number = (value, what) => {
    if (!Number.isInteger(value)) refuse(`'${what}' is missing, or not a whole number`);
  };
  const list = (value, what, check) => {
    if (!Array.isArray(value)) refuse(`'${what}' is missing, or not a list`);
    value.forEach((one, i) => check(one, `'${what}[${i}]'`));
  };
  object(json, 'it');
  if (json.format !== FORMAT)
    refuse(`its format is ${json.format}; this program reads format ${FORMAT}`);
  for (const key of ['height', 'width', 'levels']) number(json[key], key);
  list(json.planes, 'planes', (plane, what) => {
    object(plane, what);
    object(plane.source, `the source of ${what}`);
    const {name, source} = plane;
    if (!TERMS.includes(source.term))
      refuse(`plane '${name}': there is no term '${source.term}'`);
  });
  object(json.policy, "'policy'");
  number(json.policy.cells, 'policy.cells');
  list(json.policy.kinds, 'policy.kinds', (kind, what) => {
    object(kind, what);
    if (typeof kind.text !== 'string' && kind.text !== null) refuse(`${what} has no 'text'`);
    if (kind.places && !Array.isArray(json.policy[kind.places]))
      refuse(`'policy.${kind.places}' is missing, or not a list`);
  });
  list(json.fen_rows, 'fen_rows', (level, what) => {
    if (!Array.isArray(level) || !level.every(Array.isArray)) refuse(`${what} is not a list of lists`);
  });
  list(json.squares, 'squares', (square, what) => {
    object(square, what);
    object(square.cell, `'cell' of ${what}`);
    if (square.exists !== 'fen') {
      object(square.exists, `'exists' of ${what}`);
      list(square.exists.levels, 'exists.levels', () => {});
    }
  });
  if (json.moved_cells !== undefined) {
    object(json.moved_cells, "'moved_cells'");
    list(json.moved_cells.tables, 'moved_cells.tables', object);
  }
  if (!json.planes.some(({source}) => source.term === 'attacks')) return;
  object(json.attacks, "'attacks'");
  object(json.attacks.patterns, "'attacks.patterns'");
  list(json.attacks.tables, 'attacks.tables', (table, what) => {
    object(table, what);
    object(table.lines, `'lines' of ${what}`);
  });
}

module.exports = {checkDescription};
