import { quote } from '../../api/names.ts';

/** The parts of a URL. */
interface GoUrl {
  /** In lower case; empty if the URL has none. */
  readonly scheme: string;
  /** With the port; empty if the URL has none. */
  readonly host: string;
  /** The user and the password; undefined if the URL has none. */
  readonly user: string | undefined;
  readonly query: string;
  readonly fragment: string;
}

/**
 * Splits a URL as Go does, which accepts more texts than a browser does. Returns Go's error for an invalid URL.
 *
 * Upstream: Parse of net/url, in Go's standard library
 */
export function parseUrl(text: string): GoUrl | string {
  const [url = '', fragment = ''] = cut(text, '#');
  const refuse = (why: string): string => `parse ${quote(url)}: ${why}`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are meant.
  if (/[\u0000-\u001f\u007f]/.test(url)) return refuse('net/url: invalid control character in URL');
  if (url.startsWith(':')) return refuse('missing protocol scheme');
  const [, scheme = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(url) ?? [];
  const [rest = '', query = ''] = cut(scheme ? url.slice(scheme.length + 1) : url, '?');
  const found = { scheme: scheme.toLowerCase(), host: '', user: undefined, query, fragment };
  if (!rest.startsWith('/')) {
    const isOpaque = scheme !== '' || !(rest.split('/', 1)[0] ?? '').includes(':');
    return isOpaque ? found : refuse('first path segment in URL cannot contain colon');
  }
  const hasAuthority = rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'));
  const [authority = '', path = ''] = hasAuthority ? cut(rest.slice(2), '/') : ['', rest];
  const at = authority.lastIndexOf('@');
  const host = authority.slice(at + 1);
  const wrong = invalidHost(host) ?? invalidEscape(path);
  if (wrong) return refuse(wrong);
  return { ...found, host, user: at < 0 ? undefined : authority.slice(0, at) };
}

/** Returns the error in a host with its port. */
function invalidHost(host: string): string | undefined {
  const bracket = host.startsWith('[') ? host.lastIndexOf(']') : undefined;
  if (bracket === -1) return "missing ']' in host";
  const colon = host.indexOf(':');
  const port = bracket === undefined ? host.slice(colon < 0 ? host.length : colon) : host.slice(bracket + 1);
  if (!/^(:\d*)?$/.test(port)) return `invalid port ${quote(port)} after host`;
  const [odd] = /[ \\^`{|}]/.exec(host) ?? [];
  return odd === undefined ? invalidEscape(host) : `invalid character ${quote(odd)} in host name`;
}

/** Returns the error in a text with escapes. */
function invalidEscape(text: string): string | undefined {
  const at = text.search(/%(?![0-9A-Fa-f]{2})/);
  return at < 0 ? undefined : `invalid URL escape ${quote(text.slice(at, at + 3))}`;
}

function cut(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
