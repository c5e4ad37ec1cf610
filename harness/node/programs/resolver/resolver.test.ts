import { describe, expect, test } from 'vitest';
import type { DnsMessage, DnsQuestion, DnsRcode } from '../../../contracts/index.ts';
import { NetworkError } from '../../../contracts/node/index.ts';
import type { Exchange } from './ask-servers.ts';
import { parseResolverConfiguration } from './resolv-conf.ts';
import { addressesInHosts, candidates, search } from './resolve.ts';

const inPod = parseResolverConfiguration(
  'search default.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n',
);

/** Servers with these answers, by name; `undefined` means no answer. A name without an entry does not exist. */
function servers(
  told: Readonly<Record<string, DnsRcode | readonly string[] | undefined>>,
  perServer: Readonly<Record<string, 'silent' | 'refused' | 'failing'>> = {},
) {
  const asked: string[] = [];
  const waitedMs: number[] = [];
  const exchange: Exchange = async (question, server, timeoutMs) => {
    if (question.type === 'A') asked.push(`${server} ${question.name}`);
    const kind = perServer[server];
    const known = question.name in told ? told[question.name] : 'NXDOMAIN';
    if (kind === 'refused') throw new NetworkError('ECONNREFUSED', 'connection refused');
    if (kind === 'silent' || known === undefined) {
      if (question.type === 'A') waitedMs.push(timeoutMs);
      throw new NetworkError('ETIMEDOUT', 'i/o timeout');
    }
    return message(question, kind === 'failing' ? 'SERVFAIL' : known);
  };
  return { exchange, asked, waitedMs };
}

function message(question: DnsQuestion, said: DnsRcode | readonly string[]): DnsMessage {
  const { name, type } = question;
  const addresses = typeof said === 'string' || type !== 'A' ? [] : said;
  return {
    question,
    rcode: typeof said === 'string' ? said : 'NOERROR',
    authoritative: true,
    answer: addresses.map((address) => ({ name, ttl: 30, type: 'A', address })),
    authority: [],
    additional: [],
  };
}

/** Returns the addresses that a search finds, or the code of its failure. */
const found = (host: string, { exchange }: Pick<ReturnType<typeof servers>, 'exchange'>, of = inPod) =>
  search(host, of, exchange).catch((error: { code: string }) => error.code);

describe('The candidates of a name', () => {
  test.each([
    ['web', ['web.default.svc.cluster.local.', 'web.svc.cluster.local.', 'web.cluster.local.', 'web.']],
    ['web.default.svc.cluster.local.', ['web.default.svc.cluster.local.']],
    [
      'a.b.c.d.e.example',
      [
        'a.b.c.d.e.example.',
        'a.b.c.d.e.example.default.svc.cluster.local.',
        'a.b.c.d.e.example.svc.cluster.local.',
        'a.b.c.d.e.example.cluster.local.',
      ],
    ],
  ])('for %s in a pod are in order', (host, expected) => {
    expect(candidates(host, inPod)).toEqual(expected);
  });

  test('start with the name itself if it contains a dot, with the default ndots', () => {
    const configuration = parseResolverConfiguration('search example.com\n');
    expect(candidates('a.b', configuration)).toEqual(['a.b.', 'a.b.example.com.']);
    expect(candidates('a', configuration)).toEqual(['a.example.com.', 'a.']);
  });
});

describe('The resolver configuration', () => {
  test('has its defaults', () => {
    expect(parseResolverConfiguration('')).toEqual({
      servers: ['127.0.0.1'],
      searches: [],
      ndots: 1,
      timeoutSeconds: 5,
      attempts: 2,
    });
  });

  test('uses only three servers, and the last line of domains', () => {
    const text =
      'nameserver 1\nnameserver 2\nnameserver 3\nnameserver 4\nsearch a\nsearch b c\noptions timeout:1 attempts:3\n';
    expect(parseResolverConfiguration(text)).toMatchObject({
      servers: ['1', '2', '3'],
      searches: ['b', 'c'],
      timeoutSeconds: 1,
      attempts: 3,
    });
  });
});

describe('A search', () => {
  test('ends with the first name that has an address', async () => {
    const asking = servers({ 'web.svc.cluster.local.': ['10.96.0.7'] });
    expect(await found('web', asking)).toEqual(['10.96.0.7']);
    expect(asking.asked).toEqual([
      '10.96.0.10 web.default.svc.cluster.local.',
      '10.96.0.10 web.svc.cluster.local.',
    ]);
  });

  test('skips a name that exists without an address', async () => {
    const asking = servers({ 'web.default.svc.cluster.local.': [], 'web.': ['203.0.113.1'] });
    expect(await found('web', asking)).toEqual(['203.0.113.1']);
  });

  test('skips a name for which the server fails, but does not report it as missing', async () => {
    const failing = { 'web.default.svc.cluster.local.': 'SERVFAIL' } as const;
    expect(await found('web', servers({ ...failing, 'web.svc.cluster.local.': ['10.96.0.7'] }))).toEqual([
      '10.96.0.7',
    ]);
    expect(await found('web', servers(failing))).toBe('EAI_AGAIN');
  });

  test('fails when no server answers, after two attempts of five seconds each', async () => {
    const asking = servers({}, { '10.96.0.10': 'silent' });
    expect(await found('web', asking)).toBe('EAI_AGAIN');
    expect(asking.waitedMs).toEqual([5_000, 5_000]);
    expect(asking.asked).toHaveLength(2);
  });

  test('reports that a name does not exist', async () => {
    expect(await found('web', servers({}))).toBe('EAI_NONAME');
  });

  test.each(['silent', 'refused', 'failing'] as const)(
    'asks the next server when the first is %s',
    async (kind) => {
      const two = { ...inPod, servers: ['10.96.0.10', '10.96.0.11'] };
      const asking = servers({ 'web.default.svc.cluster.local.': ['10.96.0.7'] }, { '10.96.0.10': kind });
      expect(await found('web', asking, two)).toEqual(['10.96.0.7']);
      expect(asking.asked).toEqual([
        '10.96.0.10 web.default.svc.cluster.local.',
        '10.96.0.11 web.default.svc.cluster.local.',
      ]);
    },
  );
});

describe('A hosts file', () => {
  const text = '# managed\n127.0.0.1\tlocalhost\n::1\tlocalhost\n10.244.1.2\tweb-0.db.shop\tweb-0 # mine\n';

  test.each([
    ['localhost', ['127.0.0.1']],
    ['WEB-0', ['10.244.1.2']],
    ['web-0.db.shop', ['10.244.1.2']],
    ['mine', []],
  ])('maps %s to its addresses', (host, addresses) => {
    expect(addressesInHosts(text, host)).toEqual(addresses);
  });
});
