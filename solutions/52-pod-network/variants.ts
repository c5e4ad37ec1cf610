/** Networks of pods that are built otherwise than the reference, and are right: no test may mind. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'a plugin and an agent without any of the functions of the levels: names that are drawn, found again by their peers; routes by polling',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'port-in-a-second-step',
    why: 'puts the end in the host into the bridge in a second step, and turns it on in a third',
    edits: [
      [
        `  await $\`ip link add \${host} \${sized} master \${bridge} type veth peer name \${ifname} \${sized} netns \${netns}\`;\n`,
        `  await $\`ip link add \${host} \${sized} type veth peer name \${ifname} \${sized} netns \${netns}\`;\n  await $\`ip link set dev \${host} master \${bridge}\`;\n`,
      ],
    ],
  },
  {
    id: 'rule-by-rule',
    why: 'takes the rules of a container back one by one, the jump first',
    edits: [
      [
        '  if (removal.length > 0) await changeNat(tools, removal);',
        `  const [empty, ...rest] = removal;
  if (empty === undefined) return;
  for (const line of rest.slice(0, -1)) await changeNat(tools, [line]);
  await changeNat(tools, [empty, ...rest.slice(-1)]);`,
      ],
    ],
  },
  {
    id: 'routes-in-another-order',
    why: 'adds first and deletes later',
    edits: [
      ['  return [\n    ...gone.map', '  const commands = [\n    ...gone.map'],
      [
        "    ...wrong.map(([dst, gateway]) => command('replace', dst, gateway)),\n  ];",
        "    ...wrong.map(([dst, gateway]) => command('replace', dst, gateway)),\n  ];\n  return commands.toReversed();",
      ],
    ],
  },
  {
    id: 'looks-twice-as-often',
    why: 'looks again every five seconds',
    edits: [['const RESYNC_MS = 10_000;', 'const RESYNC_MS = 5_000;']],
  },
];
