import { expect, test } from 'vitest';
import { type HealthEndpoint, health } from './health.ts';

test.each([
  ['livez', '', '', 'ok'],
  ['readyz', '', 'exclude=etcd', 'ok'],
  ['livez', '', 'verbose', '[+]ping ok\n[+]log ok\n[+]etcd ok\nlivez check passed\n'],
  ['healthz', '', 'verbose=0', '[+]ping ok\n[+]log ok\n[+]etcd ok\nhealthz check passed\n'],
  [
    'readyz',
    '',
    'verbose&exclude=etcd&exclude=nope',
    '[+]ping ok\n[+]log ok\n[+]etcd excluded: ok\n[+]informer-sync ok\n[+]shutdown ok\n' +
      'warn: some health checks cannot be excluded: no matches for "nope"\nreadyz check passed\n',
  ],
  ['readyz', 'etcd', '', 'ok'],
  ['livez', 'informer-sync', '', undefined],
] as [HealthEndpoint, string, string, string | undefined][])('/%s/%s?%s', (name, path, query, text) => {
  expect(health(name, path, new URLSearchParams(query))).toBe(text);
});
