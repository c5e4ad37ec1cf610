import { describe, expect, test } from 'vitest';
import { parseUrl } from './go-url.ts';

describe('parseUrl', () => {
  test('splits a URL into its parts', () => {
    expect(parseUrl('HTTPS://me:pw@[::1]:8443/a/b?c=d#e')).toEqual({
      scheme: 'https',
      host: '[::1]:8443',
      user: 'me:pw',
      query: 'c=d',
      fragment: 'e',
    });
    expect(parseUrl('https:opaque')).toMatchObject({ scheme: 'https', host: '' });
    expect(parseUrl('a.example/b')).toMatchObject({ scheme: '', host: '' });
    expect(parseUrl('//a.example')).toMatchObject({ scheme: '', host: 'a.example' });
  });

  test.each([
    ['://a.example', 'missing protocol scheme'],
    ['1a:b', 'first path segment in URL cannot contain colon'],
    ['https://a\n', 'net/url: invalid control character in URL'],
    ['https://[::1', "missing ']' in host"],
    ['https://a:b:c', 'invalid port ":b:c" after host'],
    ['https://a b', 'invalid character " " in host name'],
    ['https://a/%zz', 'invalid URL escape "%zz"'],
  ])('rejects %j', (url, why) => {
    expect(parseUrl(url)).toBe(`parse ${JSON.stringify(url)}: ${why}`);
  });
});
