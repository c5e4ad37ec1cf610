import { describe, expect, test } from 'vitest';
import { cri } from '#harness';
import { pullWithCredentials } from '#kata/43-images/images';
import { fakeImages, sandboxConfig } from './images.fixture.ts';

const credentials = ['one', 'two', 'three'].map((username) => ({
  username,
  password: `secret of ${username}`,
}));

describe('Level 4 · Pull with each of them', () => {
  test('pulls once, anonymously, without credentials', async () => {
    const images = fakeImages();
    const pulled = await pullWithCredentials(images, { image: 'nginx:1', credentials: [], sandboxConfig });
    expect(pulled, 'the result of an anonymous pull: no credential').toEqual({ imageRef: 'id of nginx:1' });
    expect(images.pulls, 'pulls: there are no credentials').toEqual(['nginx:1 as anonymous']);
    expect(images.sandboxConfigs, 'the third argument of pullImage: sandboxConfig').toEqual([sandboxConfig]);
  });

  test('tries each credential until one succeeds', async () => {
    const images = fakeImages({ refuses: ['one'] });
    const pulled = await pullWithCredentials(images, { image: 'nginx:1', credentials, sandboxConfig });
    expect(pulled, 'the result: with the credential that succeeded, two').toEqual({
      imageRef: 'id of nginx:1',
      credential: credentials[1],
    });
    expect(images.pulls, 'pulls: one is refused, two succeeds, three is not needed').toEqual([
      'nginx:1 as one',
      'nginx:1 as two',
    ]);
  });

  test('reports all errors if all credentials fail, and does not pull anonymously', async () => {
    const images = fakeImages({ refuses: ['one', 'two', 'three'] });
    const pull = pullWithCredentials(images, { image: 'nginx:1', credentials, sandboxConfig });
    await expect(pull, 'all three credentials are refused').rejects.toThrow(
      '[one is refused, two is refused, three is refused]',
    );
    expect(images.pulls, 'pulls: one for each credential, and none without').toEqual([
      'nginx:1 as one',
      'nginx:1 as two',
      'nginx:1 as three',
    ]);
  });

  test('lists equal error texts once', async () => {
    const images = fakeImages({ error: new cri.CriError('NotFound', 'no such image') });
    const pull = pullWithCredentials(images, { image: 'nginx:1', credentials, sandboxConfig });
    await expect(pull, 'all three pulls failed with the same message').rejects.toThrow(
      /^rpc error: code = NotFound desc = no such image$/,
    );
  });

  test('starts no further pull after the abort', async () => {
    const controller = new AbortController();
    const images = fakeImages({
      refuses: ['one'],
      onPull: () => controller.abort(new Error('context canceled')),
    });
    const { signal } = controller;
    const pull = pullWithCredentials(images, { image: 'nginx:1', credentials, sandboxConfig, signal });
    await expect(pull, 'the signal was aborted during the pull as one, before two').rejects.toThrow(
      'context canceled',
    );
    expect(images.pulls, 'pulls: none after the signal was aborted').toEqual(['nginx:1 as one']);
  });
});
