import { describe, expect, test } from 'vitest';
import { portOf, probeHeaders } from './one-probe.ts';

const web = { ports: [{ name: 'http', containerPort: 8080 }, { containerPort: 9090 }] };

describe('portOf', () => {
  test.each([
    [80, 80],
    ['http', 8080],
    ['81', 81],
  ])('resolves the port %s', (port, found) => {
    expect(portOf(port, web)).toBe(found);
  });

  test('prefers a name to a number', () => {
    expect(portOf('81', { ports: [{ containerPort: 1 }, { name: '81', containerPort: 5 }] })).toBe(5);
  });

  test.each([
    ['web', 'strconv.Atoi: parsing "web": invalid syntax'],
    [0, 'invalid port number: 0'],
    [65_536, 'invalid port number: 65536'],
    ['0', 'invalid port number: 0'],
  ])('rejects %s', (port, message) => {
    expect(() => portOf(port, web)).toThrow(message);
  });
});

describe('probeHeaders', () => {
  test('identifies the kubelet and accepts every content type', () => {
    expect(probeHeaders()).toEqual({ 'user-agent': 'kube-probe/1.36', accept: '*/*' });
  });

  test('includes the headers of the probe, in lower case, instead of the defaults', () => {
    expect(
      probeHeaders([
        { name: 'User-Agent', value: 'mine' },
        { name: 'Host', value: 'web.example' },
        { name: 'X-A', value: '1' },
        { name: 'x-a', value: '2' },
      ]),
    ).toEqual({ 'user-agent': 'mine', accept: '*/*', host: 'web.example', 'x-a': '1, 2' });
  });

  test('omits default headers that the probe sets to an empty value', () => {
    expect(
      probeHeaders(['Accept', 'User-Agent', 'Host', 'X-A'].map((name) => ({ name, value: '' }))),
    ).toEqual({ 'x-a': '' });
  });
});
