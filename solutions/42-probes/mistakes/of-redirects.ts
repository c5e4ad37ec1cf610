import type { Mistake } from '#harness/testing';

/** Level 12: redirects. */
export const ofRedirects: readonly Mistake[] = [
  {
    id: 'another-port-is-another-host',
    why: 'Does not follow a redirect to another port of the same host.',
    origin: 'common: compares host instead of hostname',
    law: 'Redirects',
    edits: [
      [
        'if (next.hostname !== new URL(urlOf(first)).hostname) return last;',
        'if (next.host !== new URL(urlOf(first)).host) return last;',
      ],
    ],
  },
  {
    id: 'the-first-host-again',
    why: 'Sends the host header of the probe again when a path follows a complete URL.',
    origin: 'common: starts each request from the first',
    law: 'Redirects',
    edits: [['...redirected(request, next,', '...redirected(first, next,']],
  },
  {
    id: 'the-tenth-answer-always-fails',
    why: 'Counts the redirects before it looks at the host: a tenth answer that leads to another host is a failure instead of a warning.',
    origin: 'common',
    law: 'Redirects',
    edits: [
      [
        'if (next.hostname !== new URL(urlOf(first)).hostname) return last;',
        'if (followed < REDIRECTS_MAX - 1 && next.hostname !== new URL(urlOf(first)).hostname) return last;',
      ],
    ],
  },
  {
    id: 'a-path-of-the-first-host',
    why: 'Resolves a path against the first request, although another port sent it.',
    origin: 'common',
    law: 'Redirects',
    edits: [
      ['const next = new URL(location, urlOf(request));', 'const next = new URL(location, urlOf(first));'],
    ],
  },
  {
    id: 'a-bad-location-is-no-answer',
    why: 'Takes a location that is no URL for an error of the probe: the container never fails.',
    origin: 'common: the TypeError of new URL',
    law: 'Redirects',
    edits: [['if (!URL.canParse(location, urlOf(request))) {', 'if (followed > REDIRECTS_MAX) {']],
  },
];
