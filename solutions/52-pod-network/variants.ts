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
    id: 'moves-the-end',
    why: 'makes both ends in the host, and moves one into the namespace of the pod',
    edits: [
      [
        `  await $\`ip link add \${host} \${mtuWords(mtu)} type veth peer name \${ifname} \${mtuWords(mtu)} netns \${netns}\`;`,
        `  const inside = \`c\${host.slice(4)}\`;
  await removeVeth($, inside);
  await $\`ip link add \${host} \${mtuWords(mtu)} type veth peer name \${inside} \${mtuWords(mtu)}\`;
  await $\`ip link set dev \${inside} netns \${netns}\`;
  await $\`ip -n \${netns} link set dev \${inside} name \${ifname}\`;`,
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
