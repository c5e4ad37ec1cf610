import type { HttpAnswer } from '../../contracts/node/index.ts';

/** Where the links of an answer lead. */
interface LinkOptions {
  /** The path of the proxy: `/api/v1/namespaces/default/pods/web-1/proxy`. */
  readonly root: string;
  /** The host that the client has asked: `localhost:6443`. */
  readonly askedHost: string;
  /** The host of the server behind the proxy: `10.244.1.2:8080`. */
  readonly serverHost: string;
}

/**
 * Makes the redirect or the links of an answer lead through the proxy: `/login` becomes `…/proxy/login`. Links to other
 * hosts and relative links stay unchanged.
 *
 * Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/proxy/transport.go Transport.RoundTrip, rewriteHTML
 *
 * Differs: the rest of a tag stays unchanged, while upstream writes it anew. A link with a character reference stays as
 * it is.
 */
export function throughProxy(answer: HttpAnswer, options: LinkOptions): HttpAnswer {
  const { location, 'content-type': type = '' } = answer.headers;
  if (location) return { ...answer, headers: { ...answer.headers, location: rewritten(location, options) } };
  if (type.split(';')[0]?.trim() !== 'text/html') return answer;
  const body = answer.body.replace(TAG, (tag: string, name: string) => {
    const links = LINKS[name.toLowerCase()];
    return links ? tag.replace(ATTRIBUTE, (text: string) => attributeOf(text, links, options)) : tag;
  });
  return { ...answer, body };
}

const TAG = /<([a-z][a-z0-9]*)\s[^<>]*>/gi;

/** An attribute with the space before it. A value with a space never matches, because a link has none. */
const ATTRIBUTE = /\s[a-z]+=(?:"[^"'&\s]*"|'[^"'&\s]*')/gi;

function attributeOf(text: string, links: readonly string[], options: LinkOptions): string {
  const equals = text.indexOf('=');
  const name = text.slice(1, equals).toLowerCase();
  if (!links.includes(name)) return text;
  const quote = text.at(-1) as string;
  return `${text.slice(0, equals + 1)}${quote}${rewritten(text.slice(equals + 2, -1), options)}${quote}`;
}

/** The attributes that are links, by the name of the tag. */
const LINKS: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  applet: ['codebase'],
  area: ['href'],
  audio: ['src'],
  base: ['href'],
  blockquote: ['cite'],
  body: ['background'],
  button: ['formaction'],
  command: ['icon'],
  del: ['cite'],
  embed: ['src'],
  form: ['action'],
  frame: ['longdesc', 'src'],
  head: ['profile'],
  html: ['manifest'],
  iframe: ['longdesc', 'src'],
  img: ['longdesc', 'src', 'usemap'],
  input: ['src', 'usemap', 'formaction'],
  ins: ['cite'],
  link: ['href'],
  object: ['classid', 'codebase', 'data', 'usemap'],
  q: ['cite'],
  script: ['src'],
  source: ['src'],
  video: ['poster', 'src'],
};

/** Upstream: kubernetes/apimachinery@v0.36.3 pkg/util/proxy/transport.go Transport.rewriteURL */
function rewritten(link: string, { root, askedHost, serverHost }: LinkOptions): string {
  const scheme = /^[a-z][-a-z0-9+.]*:/i.exec(link)?.[0] ?? '';
  const authority = /^\/\/[^/?#]*/.exec(link.slice(scheme.length))?.[0] ?? '';
  const host = authority.slice(2);
  const ownAndRest = link.slice(scheme.length + authority.length);
  const isElsewhere = host !== '' && host !== serverHost && host !== askedHost;
  if (isElsewhere || !ownAndRest.startsWith('/')) return link;
  const before = host !== '' && host === askedHost ? scheme + authority : '';
  if (ownAndRest.startsWith(root)) return before + ownAndRest;
  const end = ownAndRest.search(/[?#]/);
  const own = end < 0 ? ownAndRest : ownAndRest.slice(0, end);
  return `${before}${root}${cleaned(own)}${ownAndRest.slice(own.length)}`;
}

/** Resolves `.` and `..` in an absolute path, and removes empty parts. A slash at its end stays. */
function cleaned(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.map((part) => `${part}/`).join('')}`.slice(0, path.endsWith('/') ? undefined : -1);
}
