import { describe, expect, test } from 'vitest';
import { repositoryOf } from './repository.ts';

describe('The repository of a page', () => {
  test('is known on GitHub Pages', () => {
    expect(repositoryOf({ hostname: 'someone.github.io', pathname: '/katas/index.html' })).toBe(
      'https://github.com/someone/katas',
    );
  });

  test.each([
    { hostname: '127.0.0.1', pathname: '/' },
    { hostname: 'someone.github.io', pathname: '/' },
    { hostname: 'github.io.example.org', pathname: '/katas/' },
  ])('is unknown elsewhere: $hostname$pathname', (place) => {
    expect(repositoryOf(place)).toBeUndefined();
  });
});
