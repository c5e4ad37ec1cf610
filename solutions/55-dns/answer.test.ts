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

/** Asks, and says the answer in words: `NOERROR 10.96.0.1`. `-` when another plugin is to answer. */
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
  test('leads to the address of the service, whether anything is behind it or not', () => {
    expect(ask('web.default.svc.cluster.local.', 'A', { services: [web] })).toBe('NOERROR 10.96.0.7');
  });

  test('leads to the endpoints that take traffic, when the service is headless', () => {
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

  test('does not exist when the service is headless and nothing takes traffic', () => {
    const slices = [
      slice('db', { endpoints: [{ addresses: ['10.244.1.3'], conditions: { ready: false } }] }),
    ];
    expect(ask('db.default.svc.cluster.local.', 'A', { services: [db], slices })).toBe('NXDOMAIN');
  });

  test('says of the other family that there is nothing, and not that the name does not exist', () => {
    expect(ask('web.default.svc.cluster.local.', 'AAAA', { services: [web] })).toBe('NOERROR');
  });

  test('does not exist in a namespace that does not', () => {
    const view = { ...viewOf({ services: [web] }), hasNamespace: () => false };
    const question = { name: 'web.default.svc.cluster.local.', type: 'A' as const };
    expect(answer(question, { view, settings, hasSynced: true })?.message.rcode).toBe('NXDOMAIN');
  });

  test('matches no pattern', () => {
    expect(ask('*.default.svc.cluster.local.', 'A', { services: [web] })).toBe('NXDOMAIN');
  });

  test('is told with a time to live, and when there is none, how long that may be remembered', () => {
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

  test('is told with the name of what listens, and the weights share a hundred', () => {
    expect(ask('_http._tcp.db.default.svc.cluster.local.', 'SRV', { services: [db], slices })).toBe(
      'NOERROR 50/80/db-0.db.default.svc.cluster.local. 50/80/10-244-1-3.db.default.svc.cluster.local.',
    );
  });

  test('has a weight of one at least', () => {
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

  test('is none where none is declared', () => {
    const bare = [slice('db', { endpoints: [{ addresses: ['10.244.1.2'] }] })];
    expect(ask('db.default.svc.cluster.local.', 'SRV', { services: [db], slices: bare })).toBe('NOERROR');
  });
});

describe('An endpoint', () => {
  const endpoints = [{ addresses: ['10.244.1.2'], hostname: 'web-0' }, { addresses: ['10.244.1.3'] }];
  const objects = { services: [web], slices: [slice('web', { endpoints })] };

  test.each([
    ['its hostname', 'web-0', 'NOERROR 10.244.1.2'],
    ['its address, when it has no hostname', '10-244-1-3', 'NOERROR 10.244.1.3'],
    ['nothing else: not its address when it has a hostname', '10-244-1-2', 'NXDOMAIN'],
  ])('has a name below its service, also one with an address of its own: %s', (_, label, expected) => {
    expect(ask(`${label}.web.default.svc.cluster.local.`, 'A', objects)).toBe(expected);
  });

  test.each([
    ['one that ends with zeros', 'fd00::', 'fd00--0'],
    ['one without', 'fd00::1', 'fd00--1'],
  ])('has a name that does not end with a dash: %s', (_, address, label) => {
    const slices = [slice('db', { endpoints: [{ addresses: [address] }] })];
    expect(ask(`${label}.db.default.svc.cluster.local.`, 'AAAA', { services: [db], slices })).toBe(
      `NOERROR ${address}`,
    );
  });
});

describe('An alias', () => {
  const alias = (name: string, externalName: string) => service(name, { type: 'ExternalName', externalName });

  test('comes with the address of its target', () => {
    const services = [web, alias('a', 'web.default.svc.cluster.local')];
    expect(ask('a.default.svc.cluster.local.', 'A', { services })).toBe(
      'NOERROR web.default.svc.cluster.local. 10.96.0.7',
    );
  });

  test('that leads out of the zone says where', () => {
    const services = [alias('a', 'b.default.svc.cluster.local'), alias('b', 'db.example.com')];
    expect(ask('a.default.svc.cluster.local.', 'A', { services })).toBe(
      'NOERROR b.default.svc.cluster.local. db.example.com. (db.example.com.)',
    );
  });

  test.each([
    ['to nothing', [alias('a', 'c.default.svc.cluster.local')]],
    ['to itself', [alias('a', 'a.default.svc.cluster.local')]],
    ['below itself', [alias('a', 'x.a.default.svc.cluster.local')]],
    ['in a circle', [alias('a', 'b.default.svc.cluster.local'), alias('b', 'a.default.svc.cluster.local')]],
  ])('that leads %s has no address, and exists', (_, services) => {
    expect(ask('a.default.svc.cluster.local.', 'A', { services })).toBe('NOERROR');
  });

  test('has no ports, and no names below it', () => {
    const services = [alias('a', 'db.example.com')];
    expect(ask('a.default.svc.cluster.local.', 'SRV', { services })).toBe('NOERROR');
    expect(ask('x.a.default.svc.cluster.local.', 'A', { services })).toBe('NXDOMAIN');
  });

  test('does not stand for an address', () => {
    expect(ask('a.default.svc.cluster.local.', 'A', { services: [alias('a', '10.0.0.9')] })).toBe('NXDOMAIN');
  });
});

describe('An address', () => {
  const endpoints = [{ addresses: ['10.244.1.2'], hostname: 'db-0' }];
  const objects = { services: [web, db], slices: [slice('db', { endpoints })] };

  test.each([
    ['of a service', '7.0.96.10.in-addr.arpa.', 'NOERROR web.default.svc.cluster.local.'],
    ['of an endpoint', '2.1.244.10.in-addr.arpa.', 'NOERROR db-0.db.default.svc.cluster.local.'],
    ['that the cluster does not know is asked elsewhere', '9.9.9.9.in-addr.arpa.', '-'],
    ['that is none is asked elsewhere', '9.9.9.in-addr.arpa.', '-'],
  ])('has a name: %s', (_, name, expected) => {
    expect(ask(name, 'PTR', objects)).toBe(expected);
  });
});

describe('A name that is not known', () => {
  test('may exist, as long as not everything has been seen', () => {
    expect(ask('web.default.svc.cluster.local.', 'A', {}, { hasSynced: false })).toBe('SERVFAIL');
    expect(ask('cluster.local.', 'A', {}, { hasSynced: false })).toBe('NOERROR');
    expect(ask('web.default.svc.cluster.local.', 'A', { services: [web] }, { hasSynced: false })).toBe(
      'NOERROR 10.96.0.7',
    );
  });

  test('outside of all zones is asked elsewhere', () => {
    expect(ask('example.com.', 'A', {})).toBe('-');
    expect(ask('mycluster.local.', 'A', {})).toBe('-');
  });

  test.each(['cluster.local.', 'svc.cluster.local.', 'pod.cluster.local.', 'default.svc.cluster.local.'])(
    'is not %s: there are names below it',
    (name) => expect(ask(name, 'A', {})).toBe('NOERROR'),
  );
});

test('The version of the names is told', () => {
  expect(ask('dns-version.cluster.local.', 'TXT', {})).toBe('NOERROR 1.1.0');
});
