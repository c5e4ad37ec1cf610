/**
 * Returns whether a version satisfies a range as `engines` writes it: `^20.19.0 || >=22.12.0`. Knows `>=`, `^` and a
 * bare version.
 *
 * @param {string} version `20.19.0`
 * @param {string} range
 * @returns {boolean}
 */
export function satisfies(version, range) {
  return range.split('||').some((part) => {
    const [, operator = '', wanted = ''] = /^\s*(>=|\^|)\s*v?([\d.]+)\s*$/.exec(part) || [];
    if (wanted === '') return false;
    if (compare(version, wanted) < 0) return false;
    if (operator === '>=') return true;
    return operator === '^' ? numbers(version)[0] === numbers(wanted)[0] : compare(version, wanted) === 0;
  });
}

/**
 * Compares two versions by their numbers.
 *
 * @param {string} a
 * @param {string} b
 * @returns {number} negative if `a` is older
 */
function compare(a, b) {
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] || 0) - (right[i] || 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * @param {string} version
 * @returns {readonly number[]}
 */
function numbers(version) {
  return version.replace(/^v/, '').split(/[.-]/, 3).map(Number);
}
