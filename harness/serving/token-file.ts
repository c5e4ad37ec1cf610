import type { User } from '../contracts/access/index.ts';

/**
 * Parses a file of static tokens: a token, a name, a uid, and optionally the groups, in each line.
 *
 *     31ada4fd,jane,1,"developers,testers"
 *
 * Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/token/tokenfile/tokenfile.go NewCSV
 *
 * @returns the users by token; of several lines with the same token, the last one counts
 * @throws RangeError when a line has fewer than three columns, or quotes that do not end
 */
export function parseTokenFile(text: string): ReadonlyMap<string, User> {
  const users = new Map<string, User>();
  for (const columns of recordsOf(text)) {
    const [token = '', name = '', uid = '', groups = ''] = columns;
    if (columns.length < COLUMNS_MIN) {
      const rule = `must have at least ${COLUMNS_MIN} columns (token, user name, user uid)`;
      throw new RangeError(`a token file ${rule}, found ${columns.length}`);
    }
    if (token === '') continue;
    users.set(token, { name, ...(uid && { uid }), groups: groups ? groups.split(',') : [] });
  }
  return users;
}

const COLUMNS_MIN = 3;

/** Returns the columns of each line. RFC 4180; empty lines are left out. */
function recordsOf(text: string): readonly (readonly string[])[] {
  const records: string[][] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line === '') continue;
    const columns: string[] = [];
    let rest = `,${line}`;
    while (rest !== '') {
      const match = /^,(?:"((?:[^"]|"")*)"|([^",]*))(?=,|$)/.exec(rest);
      if (!match)
        throw new RangeError(`the line ${JSON.stringify(line)} has a quote that does not end its column`);
      columns.push((match[1] ?? match[2] ?? '').replaceAll('""', '"'));
      rest = rest.slice(match[0].length);
    }
    records.push(columns);
  }
  return records;
}
