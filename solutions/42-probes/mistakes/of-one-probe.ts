import type { Mistake } from '#harness/testing';

/** Levels 1 to 3, 11 and 12: one probe. */
export const ofOneProbe: readonly Mistake[] = [
  {
    id: 'only-200-is-well',
    why: 'Every status except 200 is a failure: a server that answers 204 is killed.',
    origin: 'common',
    law: 'Level 1',
    edits: [['return status < 300', 'return status === 200']],
  },
  {
    id: 'a-redirect-fails',
    why: 'A final redirect is a failure: a container that redirects probes to its login page is killed.',
    origin: 'k#79499',
    law: 'Redirects',
    edits: [['if (status < 200 || status >= 400) {', 'if (status < 200 || status >= 300) {']],
  },
  {
    id: 'tells-the-body',
    why: 'The event contains the body of a failed answer, where every reader of events sees it.',
    origin: 'k#99425',
    law: 'Emits events',
    edits: [
      [
        `\`HTTP probe failed with statuscode: \${status}\``,
        `\`HTTP probe failed with statuscode: \${status} \${body}\``,
      ],
    ],
  },
  {
    id: 'any-exit-is-well',
    why: 'A command that could be run is a success, regardless of its exit code.',
    origin: 'common',
    law: 'Counts',
    edits: [
      ["result: exitCode === 0 ? 'success' : 'failure',", "result: exitCode >= 0 ? 'success' : 'failure',"],
    ],
  },
  {
    id: 'no-ports-by-name',
    why: 'Uses port 80 if the probe has a named port.',
    origin: 'common',
    law: 'Right target',
    edits: [
      [
        '    port: portOf(port, container),',
        "    port: typeof port === 'string' ? 80 : portOf(port, container),",
      ],
    ],
  },
  {
    id: 'asks-only-the-pod',
    why: 'Uses the address of the pod even if the probe has another host.',
    origin: 'common',
    law: 'Right target',
    edits: [['host: host || podIP,', "host: host === 'localhost' ? host : podIP,"]],
  },
  {
    id: 'drops-the-headers',
    why: 'Leaves out the headers of the probe: a server that needs Host answers 404.',
    origin: 'k#15617',
    law: 'Right target',
    edits: [['headers: probeHeaders(httpHeaders),', 'headers: probeHeaders(httpHeaders?.slice(0, 0)),']],
  },
  {
    id: 'drops-the-query',
    why: 'Requests the path without its query.',
    origin: 'common',
    law: 'Right target',
    edits: [[`path: \`\${url.pathname}\${url.search}\`,`, 'path: url.pathname,']],
  },
  {
    id: 'does-not-expand',
    why: 'Runs a command with $(NAME) without expansion.',
    origin: 'k#40846',
    law: 'Right target',
    edits: [
      [
        'const expanded = command.map((word) => expand(word, (name) => values.get(name)));',
        'const expanded = command;',
      ],
    ],
  },
  {
    id: 'a-late-command-says-nothing',
    why: 'The timeout of a command is an error, and has no result: a hanging container is never killed.',
    origin: 'k#94080',
    law: 'Level 3',
    edits: [
      [
        "if (!(error instanceof cri.CriError) || error.code !== 'DeadlineExceeded') throw error;",
        'if (values) throw error;',
      ],
    ],
  },
  {
    id: 'no-answer-says-nothing',
    why: 'A refused connection is an error, and has no result: a dead server is never killed.',
    origin: 'k#94080',
    law: 'Punctual',
    edits: [["if (error instanceof NetworkError) return { result: 'failure', output: error.message };", '']],
  },
  {
    id: 'a-second-for-all',
    why: 'Each call has a timeout of one second, regardless of the probe.',
    origin: 'k#26895',
    law: 'Timeouts',
    edits: [
      [
        '    timeoutMs: timeoutMsOf(probe),\n  };',
        '    timeoutMs: Math.min(timeoutMsOf(probe), 1_000),\n  };',
      ],
    ],
  },
  {
    id: 'commands-have-no-timeout',
    why: 'A command has no timeout.',
    origin: 'k#26895, dockershim',
    law: 'Timeouts',
    edits: [
      [
        'await runtime.execSync(id, expanded, probe.timeoutSeconds ?? 1)',
        'await runtime.execSync(id, expanded, 0)',
      ],
    ],
  },
  {
    id: 'tries-once',
    why: 'Does not retry a command that could not be run.',
    origin: 'common',
    law: 'Retries',
    edits: [['if (tries < TRIES_MAX) continue;', 'if (tries > TRIES_MAX) continue;']],
  },
  {
    id: 'an-error-fails',
    why: 'A probe that could not be run counts as a failure: a short outage of the runtime kills all containers of a node.',
    origin: 'common',
    law: 'Counts',
    edits: [['      return undefined;\n    }\n  }\n}', "      return 'Failure';\n    }\n  }\n}"]],
  },
  {
    id: 'retries-failures',
    why: 'Tries three times in a row after a failure: a container that is down gets three times the requests.',
    origin: 'common',
    law: 'Level 3',
    edits: [
      [
        "if (result === 'failure') warn('Unhealthy',",
        "if (result === 'failure' && tries < TRIES_MAX) continue;\n      if (result === 'failure') warn('Unhealthy',",
      ],
    ],
  },
  {
    id: 'fails-in-silence',
    why: 'Emits no event about the failure that kills a container.',
    origin: 'common',
    law: 'Emits events',
    edits: [[`if (result === 'failure') warn('Unhealthy', \`\${kind} probe failed: \${output}\`);`, '']],
  },
  {
    id: 'serves-or-not',
    why: 'Every answer of a gRPC server is a success.',
    origin: 'common',
    law: 'gRPC health',
    edits: [["return status === 'SERVING'", "return status !== 'UNKNOWN'"]],
  },
  {
    id: 'any-service',
    why: 'Checks the health of the whole server, although the probe names a service.',
    origin: 'common',
    law: 'gRPC health',
    edits: [
      ["{ port, service = '' }: core.GRPCAction,", "{ port, service: _ }: core.GRPCAction,\n  service = '',"],
    ],
  },
  {
    id: 'follows-nothing',
    why: 'Does not follow redirects.',
    origin: 'common',
    law: 'Redirects',
    edits: [
      [
        'await getURL(tools, httpRequestOf(httpGet, target), follow)',
        'await getURL(tools, httpRequestOf(httpGet, target))',
      ],
    ],
  },
  {
    id: 'follows-anywhere',
    why: 'Follows a redirect to another host: a container can make the kubelet send requests to any address of the network.',
    origin: 'k#75416',
    law: 'Redirects',
    edits: [['if (next.hostname !== new URL(urlOf(first)).hostname) return last;', '']],
  },
  {
    id: 'goes-in-circles',
    why: 'Follows more than ten redirects.',
    origin: 'common',
    law: 'Redirects',
    edits: [['if (followed === REDIRECTS_MAX - 1) {', 'if (followed === REDIRECTS_MAX) {']],
  },
  {
    id: 'time-begins-anew',
    why: 'Each redirect gets the whole timeout of the probe.',
    origin: 'common',
    law: 'Redirects',
    edits: [['timeoutMs: endMs - clock.now(),', 'timeoutMs: endMs > clock.now() ? first.timeoutMs : 1,']],
  },
  {
    id: 'a-second-for-grpc',
    why: 'A gRPC server has a timeout of one second, regardless of the probe.',
    origin: 'common',
    law: 'gRPC health',
    edits: [
      [
        '  const timeoutMs = timeoutMsOf(probe);\n',
        '  const timeoutMs = Math.min(timeoutMsOf(probe), 1_000);\n',
      ],
    ],
  },
  {
    id: 'never-over-tls',
    why: 'Uses plain HTTP although the probe has the scheme HTTPS.',
    origin: 'common',
    law: 'Right target',
    edits: [
      ["scheme: scheme === 'HTTPS' ? 'https' : 'http',", "scheme: scheme === 'https' ? 'https' : 'http',"],
    ],
  },
  {
    id: 'the-first-error',
    why: 'The event has the message of the first of three errors, not of the last.',
    origin: 'common',
    law: 'Emits events',
    edits: [
      [
        'for (let tries = 1; ; tries++) {',
        `let failed: unknown;
  for (let tries = 1; ; tries++) {`,
      ],
      [
        `if (tries < TRIES_MAX) continue;
      const why = error instanceof Error ? error.message : error;`,
        `failed ??= error;
      if (tries < TRIES_MAX) continue;
      const why = failed instanceof Error ? failed.message : failed;`,
      ],
    ],
  },
  {
    id: 'an-empty-host-is-a-host',
    why: 'Sends the request to an empty host if the spec has one, instead of the pod.',
    origin: 'common: ?? instead of ||',
    law: 'Right target',
    edits: [['host: host || podIP,', 'host: host ?? podIP,']],
  },
  {
    id: 'the-first-of-two-names',
    why: 'Of two variables with one name, the first wins.',
    origin: 'common: find instead of a map',
    law: 'Right target',
    edits: [['new Map(env.map(', 'new Map(env.toReversed().map(']],
  },
  {
    id: 'a-raw-path',
    why: 'Sends the path as it is: with spaces, and with a fragment.',
    origin: 'common',
    law: 'Right target',
    edits: [
      [`path: \`\${url.pathname}\${url.search}\`,`, `path: path.startsWith('/') ? path : url.pathname,`],
    ],
  },
];
