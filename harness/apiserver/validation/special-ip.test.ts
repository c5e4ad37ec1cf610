import { expect, test } from 'vitest';
import { whySpecialIP } from './special-ip.ts';

const LOOPBACK = 'may not be in the loopback range (127.0.0.0/8, ::1/128)';
const LINK_LOCAL = 'may not be in the link-local range (169.254.0.0/16, fe80::/10)';
const MULTICAST = 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)';

test.each([
  ['0.0.0.0', 'may not be unspecified (0.0.0.0)'],
  ['::', 'may not be unspecified (::)'],
  ['127.1.2.3', LOOPBACK],
  ['127.000.000.001', LOOPBACK],
  ['::1', LOOPBACK],
  ['::ffff:127.0.0.1', LOOPBACK],
  ['169.254.169.254', LINK_LOCAL],
  ['fe80::1', LINK_LOCAL],
  ['224.0.0.251', MULTICAST],
  ['ff02::1', MULTICAST],
])('%s is not usable for traffic: it %s', (ip, reason) => {
  expect(whySpecialIP(ip)).toEqual([reason]);
});

test.each(['8.8.8.8', '10.0.0.1', '010.0.0.1', '224.0.1.1', '0.0.0.1', '2001:db8::1'])(
  '%s is usable',
  (ip) => {
    expect(whySpecialIP(ip)).toEqual([]);
  },
);
