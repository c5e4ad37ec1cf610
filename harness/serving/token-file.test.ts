import { describe, expect, test } from 'vitest';
import { parseTokenFile } from './token-file.ts';

// Upstream: kubernetes/apiserver@v0.36.3 pkg/authentication/token/tokenfile/tokenfile_test.go
describe('A file of tokens', () => {
  test('has a user in each line', () => {
    const text = 'token1,user1,uid1\ntoken2,user2,uid2\n\n"token3","us,er ""3""",uid3,"group1,group2"\r\n';
    expect([...parseTokenFile(text)]).toEqual([
      ['token1', { name: 'user1', uid: 'uid1', groups: [] }],
      ['token2', { name: 'user2', uid: 'uid2', groups: [] }],
      ['token3', { name: 'us,er "3"', uid: 'uid3', groups: ['group1', 'group2'] }],
    ]);
  });

  test('can have further columns, and no uid', () => {
    expect([...parseTokenFile('token1,user1,,group1,further')]).toEqual([
      ['token1', { name: 'user1', groups: ['group1'] }],
    ]);
  });

  test('skips lines without a token, and uses the last line of each token', () => {
    expect([...parseTokenFile(',user1,uid1\nt,user2,uid2\nt,user3,uid3').values()]).toEqual([
      { name: 'user3', uid: 'uid3', groups: [] },
    ]);
  });

  test.each([
    ['t,user', 'a token file must have at least 3 columns (token, user name, user uid), found 2'],
    ['t', 'a token file must have at least 3 columns (token, user name, user uid), found 1'],
    ['t,user,uid,"group', 'the line "t,user,uid,\\"group" has a quote that does not end its column'],
    ['t,us"er,uid', 'the line "t,us\\"er,uid" has a quote that does not end its column'],
  ])('is refused: %s', (text, why) => {
    expect(() => parseTokenFile(text)).toThrow(new RangeError(why));
  });
});
