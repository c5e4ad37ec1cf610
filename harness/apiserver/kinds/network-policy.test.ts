import { describe, expect, test } from 'vitest';
import { refused, sampleOf } from './declared.fixture.ts';
import { networkPolicy } from './network-policy.ts';

describe('NetworkPolicy', () => {
  test('applies to ingress, and to egress if it has egress rules', () => {
    expect(sampleOf(networkPolicy).spec.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(sampleOf(networkPolicy, { 'spec.egress': undefined }).spec.policyTypes).toEqual(['Ingress']);
  });

  test('uses TCP by default', () => {
    expect(sampleOf(networkPolicy).spec.ingress?.[0]?.ports).toEqual([{ port: 'http', protocol: 'TCP' }]);
  });

  const block = 'spec.egress.0.to.0.ipBlock';
  const at = 'spec.egress[0].to[0].ipBlock';
  test.each([
    [
      { 'spec.ingress.0.ports.0.protocol': 'ICMP' },
      'spec.ingress[0].ports[0].protocol: Unsupported value: "ICMP": supported values: "TCP", "UDP", "SCTP"',
    ],
    [
      { 'spec.ingress.0.ports.0.port': 0 },
      'spec.ingress[0].ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
    ],
    [
      { 'spec.ingress.0.ports.0.endPort': 5 },
      'spec.ingress[0].ports[0].endPort: Invalid value: 5: may not be specified when `port` is non-numeric',
    ],
    [
      { 'spec.egress.0.ports.0.port': 10 },
      'spec.egress[0].ports[0].endPort: Invalid value: 10: must be greater than or equal to `port`',
    ],
    [
      { 'spec.egress.0.ports.0.port': undefined },
      'spec.egress[0].ports[0].endPort: Invalid value: 9: may not be specified when `port` is not specified',
    ],
    [{ 'spec.ingress.0.from.0': {} }, 'spec.ingress[0].from[0]: Required value: must specify a peer'],
    [
      { 'spec.egress.0.to.0.podSelector': {} },
      'spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer',
    ],
    [{ [`${block}.cidr`]: '' }, `${at}.cidr: Required value`],
    [
      { [`${block}.except`]: ['192.168.0.0/16'] },
      `${at}.except[0]: Invalid value: "192.168.0.0/16": must be a strict subset of \`cidr\``,
    ],
    [
      { [`${block}.except`]: ['10.0.0.0/8'] },
      `${at}.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of \`cidr\``,
    ],
    [
      { 'spec.policyTypes': ['Transit'] },
      'spec.policyTypes[0]: Unsupported value: "Transit": supported values: "Ingress", "Egress"',
    ],
    [
      { 'spec.policyTypes': ['Ingress', 'Egress', 'Egress'] },
      'spec.policyTypes: Invalid value: ["Ingress","Egress","Egress"]: may not specify more than two policyTypes',
    ],
  ])('rejects %j', (changes, why) => {
    expect(refused(networkPolicy, changes)).toEqual([why]);
  });

  test('rejects an invalid CIDR', () => {
    expect(refused(networkPolicy, { [`${block}.cidr`]: '10.0.0.0' })).toEqual([
      expect.stringContaining(`${at}.cidr: Invalid value: "10.0.0.0": `),
    ]);
  });
});
