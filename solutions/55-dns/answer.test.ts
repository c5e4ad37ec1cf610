import { describe, expect, test } from 'vitest';
import type { DnsRecord, DnsType } from '#harness';
import { answer, type Settings } from './answer.ts';
import { type Objects, service, slice, viewOf } from './view.fixture.ts';

const settings: Settings = {
  zones: ['cluster.local.', 'in-addr.arpa.', 'ip6.arpa.'],
  ttl: 30,
  pods: 'insecure',
  fallthrough: ['in-addr.arpa.', 'ip6.arpa.'],
};
const http = [{ name: 'http', protocol: 'TCP', port: 80 }];

/** Asks a question, and formats the answer: `NOERROR 10.96.0.1`; `-` if another plugin must answer. */
function ask(
  name: string,
  type: DnsType,
  objects: Objects,
  { hasSynced = true, ...more }: Partial<Settings> & { readonly hasSynced?: boolean } = {},
): string {
  const view = viewOf({ namespaces: ['default'], ...objects });
  const reply = answer({ name, type }, { view, settings: { ...settings, ...more }, hasSynced });
  if (!reply) return '-';
  const { message, alias } = reply;
  const records = alias ? alias.records : message.answer;
  return [message.rcode, ...records.map(say), ...(alias ? [`(${alias.target})`] : [])].join(' ');
}

function say(record: DnsRecord): string {
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return record.address;
    case 'SRV':
      return `${record.weight}/${record.port}/${record.target}`;
    case 'TXT':
      return record.text;
    case 'SOA':
      return record.mname;
    default:
      return record.target;
  }
}

const web = service('web', { clusterIP: '10.96.0.7', ports: http });
const db = service('db', { clusterIP: 'None', ports: http });

describe('The name of a service', () => {
  test('resolves to the cluster IP of the service, whether or not it has endpoints', () => {
    expect(ask('web.default.svc.cluster.local.', 'A', { services: [web] })).toBe('NOERROR 10.96.0.7');
  });

  test('of a headless service resolves to the endpoints that accept traffic', () => {
    const slices = [
      slice('db', {
        endpoints: [
          { addresses: ['10.244.1.2'], conditions: { ready: true } },
          { addresses: ['10.244.1.3'], conditions: { ready: false, serving: true, terminating: true } },
          { addresses: ['10.244.1.4'] },
        ],
      }),
      slice('db', { endpoints: [{ addresses: ['10.244.1.2'] }, { addresses: ['10.244.2.5'] }] }),
    ];
    expect(ask('db.default.svc.cluster.local.', 'A', { services: [db], slices })).toBe(
      'NOERROR 10.244.1.2 10.244.1.4 10.244.2.5',
    );
  });

  test('of a headless service without ready endpoints does not exist', () => {
    const slices = [
      slice('db', { endpoints: [{ addresses: ['10.244.1.3'], conditions: { ready: false } }] }),
    ];
    expect(ask('db.default.svc.cluster.local.', 'A', { services: [db], slices })).toBe('NXDOMAIN');
  });

  test('exists without records for a question about the other address family', () => {
    expect(ask('web.default.svc.cluster.local.', 'AAAA', { services: [web] })).toBe('NOERROR');
  });

  test('does not exist if its namespace does not exist', () => {
    const view = { ...viewOf({ services: [web] }), hasNamespace: () => false };
    const question = { name: 'web.default.svc.cluster.local.', type: 'A' as const };
    expect(answer(question, { view, settings, hasSynced: true })?.message.rcode).toBe('NXDOMAIN');
  });

  test('does not match a wildcard', () => {
    expect(ask('*.default.svc.cluster.local.', 'A', { services: [web] })).toBe('NXDOMAIN');
  });

  test('has a TTL, also for negative answers', () => {
    const view = viewOf({ services: [web] });
    const reply = (type: DnsType) =>
      answer({ name: 'web.default.svc.cluster.local.', type }, { view, settings, hasSynced: true })?.message;
    expect(reply('A')).toMatchObject({ authoritative: true, answer: [{ ttl: 30 }], authority: [] });
    expect(reply('AAAA')).toMatchObject({
      answer: [],
      authority: [{ name: 'cluster.local.', type: 'SOA', ttl: 30, minimum: 30 }],
    });
  });
});

describe('A port', () => {
  const slices = [
    slice('db', {
      endpoints: [{ addresses: ['10.244.1.2'], hostname: 'db-0' }, { addresses: ['10.244.1.3'] }],
      ports: http,
    }),
  ];

  test('has the names of its targets, with weights that add up to 100', () => {
    expect(ask('_http._tcp.db.default.svc.cluster.local.', 'SRV', { services: [db], slices })).toBe(
      'NOERROR 50/80/db-0.db.default.svc.cluster.local. 50/80/10-244-1-3.db.default.svc.cluster.local.',
    );
  });

  test('has a weight of at least 1', () => {
    const endpoints = Array.from({ length: 120 }, (_, i) => ({ addresses: [`10.244.1.${i + 1}`] }));
    const many = [slice('db', { endpoints, ports: http })];
    expect(ask('_http._tcp.db.default.svc.cluster.local.', 'SRV', { services: [db], slices: many })).toMatch(
      /^NOERROR 1\/80/,
    );
  });

  test.each([
    ['another name', '_https._tcp'],
    ['another protocol', '_http._udp'],
  ])('does not exist under %s', (_, labels) => {
    expect(ask(`${labels}.web.default.svc.cluster.local.`, 'SRV', { services: [web] })).toBe('NXDOMAIN');
  });

  test('needs a declared port to have a record', () => {
    const bare = [slice('db', { endpoints: [{ addresses: ['10.244.1.2'] }] })];
    expect(ask('db.default.svc.cluster.local.', 'SRV', { services: [db], slices: bare })).toBe('NOERROR');
  });
});

describe('An endpoint', () => {
  const endpoints = [{ addresses: ['10.244.1.2'], hostname: 'web-0' }, { addresses: ['10.244.1.3'] }];
  const objects = { services: [web], slices: [slice('web', { endpoints })] };

  test.each([
    ['its hostname', 'web-0', 'NOERROR 10.244.1.2'],
    ['its address, if it has no hostname', '10-244-1-3', 'NOERROR 10.244.1.3'],
    ['only that: not its address if it has a hostname', '10-244-1-2', 'NXDOMAIN'],
  ])('has a name below its service, also if the service has a cluster IP: %s', (_, label, expected) => {
    expect(ask(`${label}.web.default.svc.cluster.local.`, 'A', objects)).toBe(expected);
  });

  test.each([
    ['for an address that ends with zeros', 'fd00::', 'fd00--0'],
    ['for an address without trailing zeros', 'fd00::1', 'fd00--1'],
  ])('has a name that does not end with a dash: %s', (_, address, label) => {
    const slices = [slice('db', { endpoints: [{ addresses: [address] }] })];
    expect(ask(`${label}.db.default.svc.cluster.local.`, 'AAAA', { services: [db], slices })).toBe(
      `NOERROR ${address}`,
    );
  });
});

describe('An alias', () => {
  const alias = (name: string, externalName: string) => service(name, { type: 'ExternalName', externalName });

  test('includes the address of its target', () => {
    const services = [web, alias('a', 'web.default.svc.cluster.local')];
    expect(ask('a.default.svc.cluster.local.', 'A', { services })).toBe(
      'NOERROR web.default.svc.cluster.local. 10.96.0.7',
    );
  });

  test('returns a target outside the zone', () => {
    const services = [alias('a', 'b.default.svc.cluster.local'), alias('b', 'db.example.com')];
    expect(ask('a.default.svc.cluster.local.', 'A', { services })).toBe(
      'NOERROR b.default.svc.cluster.local. db.example.com. (db.example.com.)',
    );
  });

  test.each([
    ['to nothing', [alias('a', 'c.default.svc.cluster.local')]],
    ['to itself', [alias('a', 'a.default.svc.cluster.local')]],
    ['below itself', [alias('a', 'x.a.default.svc.cluster.local')]],
    ['to a cycle', [alias('a', 'b.default.svc.cluster.local'), alias('b', 'a.default.svc.cluster.local')]],
  ])('that leads %s exists without an address', (_, services) => {
    expect(ask('a.default.svc.cluster.local.', 'A', { services })).toBe('NOERROR');
  });

  test('has no ports, and no names below it', () => {
    const services = [alias('a', 'db.example.com')];
    expect(ask('a.default.svc.cluster.local.', 'SRV', { services })).toBe('NOERROR');
    expect(ask('x.a.default.svc.cluster.local.', 'A', { services })).toBe('NXDOMAIN');
  });

  test('does not exist for an address as its target', () => {
    expect(ask('a.default.svc.cluster.local.', 'A', { services: [alias('a', '10.0.0.9')] })).toBe('NXDOMAIN');
  });
});

describe('An address', () => {
  const endpoints = [{ addresses: ['10.244.1.2'], hostname: 'db-0' }];
  const objects = { services: [web, db], slices: [slice('db', { endpoints })] };

  test.each([
    [
      'of a service resolves to its name',
      '7.0.96.10.in-addr.arpa.',
      'NOERROR web.default.svc.cluster.local.',
    ],
    [
      'of an endpoint resolves to its name',
      '2.1.244.10.in-addr.arpa.',
      'NOERROR db-0.db.default.svc.cluster.local.',
    ],
    ['that is unknown is left to other plugins', '9.9.9.9.in-addr.arpa.', '-'],
    ['that is invalid is left to other plugins', '9.9.9.in-addr.arpa.', '-'],
  ])('%s', (_, name, expected) => {
    expect(ask(name, 'PTR', objects)).toBe(expected);
  });
});

describe('An unknown name', () => {
  test('may exist until the plugin has synced', () => {
    expect(ask('web.default.svc.cluster.local.', 'A', {}, { hasSynced: false })).toBe('SERVFAIL');
    expect(ask('cluster.local.', 'A', {}, { hasSynced: false })).toBe('NOERROR');
    expect(ask('web.default.svc.cluster.local.', 'A', { services: [web] }, { hasSynced: false })).toBe(
      'NOERROR 10.96.0.7',
    );
  });

  test('outside all zones is left to other plugins', () => {
    expect(ask('example.com.', 'A', {})).toBe('-');
    expect(ask('mycluster.local.', 'A', {})).toBe('-');
  });

  test.each(['cluster.local.', 'svc.cluster.local.', 'pod.cluster.local.', 'default.svc.cluster.local.'])(
    'does not include %s: there are names below it',
    (name) => expect(ask(name, 'A', {})).toBe('NOERROR'),
  );
});

test('The version of the DNS specification has a TXT record', () => {
  expect(ask('dns-version.cluster.local.', 'TXT', {})).toBe('NOERROR 1.1.0');
});
