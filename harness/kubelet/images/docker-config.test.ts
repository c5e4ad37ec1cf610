import { describe, expect, test } from 'vitest';
import { dockerConfigOf, parseDockerConfig } from './docker-config.ts';

describe('An invalid docker config', () => {
  const content = 'team:open sesame';

  test.each([
    ['kubernetes.io/dockerconfigjson', '.dockerconfigjson'],
    ['kubernetes.io/dockercfg', '.dockercfg'],
  ])('is rejected without quoting the content of a secret of type %s', (type, key) => {
    const secret = { type, data: { [key]: btoa(content) } };
    expect(() => dockerConfigOf(secret)).toThrow(/^unable to parse docker config: it is not valid JSON$/);
  });

  test('is rejected without quoting user and password if these are not joined by a colon', () => {
    const auths = { 'quay.io': { auth: btoa('open sesame') } };
    expect(() => parseDockerConfig(JSON.stringify({ auths }))).toThrow(/^unable to parse auth field/);
    expect(() => parseDockerConfig(JSON.stringify({ auths }))).not.toThrow('sesame');
  });

  test('has no entries if it is null', () => {
    expect(parseDockerConfig('null')).toEqual([]);
  });
});
