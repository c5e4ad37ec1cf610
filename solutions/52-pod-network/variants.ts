/** Correct pod networks with another design than the reference, which all tests must accept. */
import type { Variant } from '#harness/testing';

export const variants: readonly Variant[] = [
  {
    id: 'free',
    why: 'a plugin and an agent without the functions of the levels: other interface names, whose peers identify them; routes by polling',
    file: 'variants/free.ts',
    free: true,
  },
  {
    id: 'port-in-a-second-step',
    why: 'attaches the host end to the bridge in a second step, and brings it up in a third',
    edits: [
      [
        `  await $\`ip link add \${host} \${sized} master \${bridge} type veth peer name \${ifname} \${sized} netns \${netns}\`;\n`,
        `  await $\`ip link add \${host} \${sized} type veth peer name \${ifname} \${sized} netns \${netns}\`;\n  await $\`ip link set dev \${host} master \${bridge}\`;\n`,
      ],
    ],
  },
  {
    id: 'rule-by-rule',
    why: 'removes the rules of a container one by one, the jump first',
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
    why: 'adds routes first and deletes later',
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
    why: 'resyncs every five seconds',
    edits: [['const RESYNC_MS = 10_000;', 'const RESYNC_MS = 5_000;']],
  },
];
