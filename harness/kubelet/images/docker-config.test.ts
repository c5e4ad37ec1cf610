import { describe, expect, test } from 'vitest';
import { dockerConfigOf, parseDockerConfig } from './docker-config.ts';

describe('A docker config that is none', () => {
  const content = 'team:open sesame';

  test.each([
    ['kubernetes.io/dockerconfigjson', '.dockerconfigjson'],
    ['kubernetes.io/dockercfg', '.dockercfg'],
  ])('is refused without a word of what a secret of type %s holds', (type, key) => {
    const secret = { type, data: { [key]: btoa(content) } };
    expect(() => dockerConfigOf(secret)).toThrow(/^unable to parse docker config: it is not valid JSON$/);
  });

  test('is refused without a word of its user and password when these are not joined by a colon', () => {
    const auths = { 'quay.io': { auth: btoa('open sesame') } };
    expect(() => parseDockerConfig(JSON.stringify({ auths }))).toThrow(/^unable to parse auth field/);
    expect(() => parseDockerConfig(JSON.stringify({ auths }))).not.toThrow('sesame');
  });

  test('holds nothing when it is null', () => {
    expect(parseDockerConfig('null')).toEqual([]);
  });
});
