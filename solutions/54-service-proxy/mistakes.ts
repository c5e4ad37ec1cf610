import type { Mistake } from '#harness/testing';

/** Each of them dies of the laws alone. */
export const lawsSuffice = true;

/**
 * Service proxies that are wrong, each by a change or two of the reference. `k#` is an issue or pull request of
 * kubernetes/kubernetes.
 */
export const mistakes: readonly Mistake[] = [
  {
    id: 'forgets-what-failed',
    why: 'What has changed is taken for applied as soon as it was read, also if it could not be applied.',
    origin: 'k#112604',
    law: 'Exact',
    edits: [
      ['      this.#needsAll = true;\n      throw error;', '      this.#book.settle();\n      throw error;'],
    ],
  },
  {
    id: 'starts-with-half-a-cache',
    why: 'A proxy that starts does not wait for services and endpoints, and removes the rules of those that it does not know yet.',
    origin: 'k#126468',
    law: 'Undisturbed',
    edits: [
      ['while (!registrations.every((each) => each.hasSynced()))', 'while (registrations.length === 0)'],
    ],
  },
  {
    id: 'tears-down-at-the-start',
    why: 'A proxy that starts removes all rules, and then writes them anew.',
    origin: 'k#75360',
    law: 'Undisturbed',
    edits: [
      [
        '  queue.add(RULES);\n  await context.runWorkers',
        "  await tools.run(['iptables', '-t', 'nat', '-F', 'KUBE-SERVICES']).catch(() => {});\n  queue.add(RULES);\n  await context.runWorkers",
      ],
    ],
  },
  {
    id: 'flushes-all-tables',
    why: 'The rules are restored without --noflush: those of others are gone.',
    origin: 'common',
    law: 'Tidy',
    edits: [["'--noflush', '--counters'", "'--counters'"]],
  },
  {
    id: 'asks-chance-first',
    why: 'Rules that leave it to chance come before those that know the client, and those are never asked.',
    origin: 'common',
    law: 'Sticky',
    edits: [
      [
        '      ...(seconds === undefined ? [] : endpoints.map(known)),\n      ...endpoints.map((each, i) => jump(each, chanceOf(endpoints.length - i))),',
        '      ...endpoints.map((each, i) => jump(each, chanceOf(endpoints.length - i))),\n      ...(seconds === undefined ? [] : endpoints.map(known)),',
      ],
    ],
  },
  {
    id: 'affinity-to-all',
    why: 'Clients that are to come back do so also to endpoints that are not usable any more.',
    origin: 'k#106030',
    law: 'Returning',
    edits: [
      [
        '    const all = endpointsOf(slices, port, circumstances.node);\n      return { port, all, rules: rulesOf(port, chooseEndpoints(all, port, circumstances), circumstances) };',
        '    const all = endpointsOf(slices, port, circumstances.node);\n      const choice = chooseEndpoints(all, port, circumstances);\n      const sticky = port.affinitySeconds !== undefined && choice.cluster.length > 0;\n      return { port, all, rules: rulesOf(port, sticky ? { ...choice, cluster: all, reachable: all } : choice, circumstances) };',
      ],
    ],
  },
  {
    id: 'ghost-shadows-pod',
    why: 'Of two slices that have an address the last one counts, also if the pod in it is about to go.',
    origin: 'k#135593',
    law: 'Exact',
    edits: [['worth(endpoint) > worth(known)', 'worth(endpoint) >= 0']],
  },
  {
    id: 'drops-those-that-drain',
    why: 'When no endpoint is ready, those that still serve while they end are not asked.',
    origin: 'common',
    law: 'Exact',
    edits: [['return isServing && isTerminating;', 'return isServing && isTerminating && false;']],
  },
  {
    id: 'drains-beside-ready-ones',
    why: 'Endpoints that end get new connections as long as they serve, also when others are ready.',
    origin: 'k#54723',
    law: 'Exact',
    edits: [['    isReady: conditions.ready ?? true,', '    isReady: conditions.serving ?? true,']],
  },
  {
    id: 'unequal-chances',
    why: 'Each rule takes one n-th of what comes to it, so that the first endpoint gets the most.',
    origin: 'common',
    law: 'Fair',
    edits: [
      [
        'chanceOf(endpoints.length - i)',
        'i === endpoints.length - 1 ? chanceOf(1) : chanceOf(endpoints.length)',
      ],
    ],
  },
  {
    id: 'no-hairpin',
    why: 'A pod that reaches itself through a service sees its own address, and answers itself directly.',
    origin: 'k#13375',
    law: 'Exact',
    edits: [[`\`-s \${endpoint.ip} -j KUBE-MARK-MASQ\``, `\`-s \${endpoint.ip} -j RETURN\``]],
  },
  {
    id: 'masquerades-local',
    why: 'What comes from outside is masqueraded also if it stays on this node, and endpoints do not see where it comes from.',
    origin: 'common',
    law: 'Seen',
    edits: [
      [
        "external('masquerade LOCAL traffic for', '-m addrtype --src-type LOCAL -j KUBE-MARK-MASQ'),",
        "external('masquerade traffic for', '-j KUBE-MARK-MASQ'),",
      ],
    ],
  },
  {
    id: 'policy-for-pods',
    why: 'The policy for what comes from outside is applied to pods, too, which find no endpoint although there are some.',
    origin: 'common',
    law: 'Exact',
    edits: [["...(clusterCIDR === ''\n          ? []", "...(clusterCIDR !== ''\n          ? []"]],
  },
  {
    id: 'waits-instead-of-refusing',
    why: 'A service without endpoints drops what comes to it, and clients wait.',
    origin: 'common',
    law: 'Exact',
    edits: [["['REJECT', 'has no endpoints']", "['DROP', 'has no endpoints']"]],
  },
  {
    id: 'flows-stay',
    why: 'Flows of datagrams stay with an endpoint that has gone.',
    origin: 'k#126532',
    law: 'Streams',
    edits: [['if (!serving || serving.has(flow.answeredBy)) continue;', 'if (serving) continue;']],
  },
  {
    id: 'old-chains-stay',
    why: 'Chains of services and endpoints that have gone are never removed.',
    origin: 'common',
    law: 'Tidy',
    edits: [
      [
        'return there.filter((chain) => !used.has(chain));',
        'return there.filter((chain) => used.size < 0 && chain);',
      ],
    ],
  },
  {
    id: 'no-canary',
    why: 'A proxy does not notice that something has thrown its rules away.',
    origin: 'common',
    law: 'Exact',
    edits: [
      [
        'if (!(await this.#iptables.hasCanary())) this.#needsAll = true;',
        'await this.#iptables.hasCanary();',
      ],
    ],
  },
  {
    id: 'jumps-each-time',
    why: 'The way from the kernel’s chains to ours is made at each full sync, once more.',
    origin: 'common',
    law: 'Tidy',
    edits: [
      [
        `if (await this.#holds(this.#$\`iptables -w -t \${table} -C \${from} \${rule}\`)) return;`,
        `await this.#holds(this.#$\`iptables -w -t \${table} -C \${from} \${rule}\`);`,
      ],
    ],
  },
  {
    id: 'hints-without-all',
    why: 'Endpoints near by are preferred also if others have no hint: those get nothing.',
    origin: 'common',
    law: 'Exact',
    edits: [
      [
        'ready.every(({ [hint]: names }) => names.length > 0)',
        'ready.some(({ [hint]: names }) => names.length > 0)',
      ],
    ],
  },
  {
    id: 'guards-nothing',
    why: 'Addresses of a load balancer are open to all, whatever its ranges say.',
    origin: 'common',
    law: 'Exact',
    edits: [
      [
        'const balanced = usesFirewall ? chains.firewall : chains.external;',
        'const balanced = chains.external;\n  void usesFirewall;',
      ],
    ],
  },
  {
    id: 'updates-are-lost',
    why: 'An object that changes is taken for the one that was there: only those that come and go are looked at.',
    origin: 'k#28674',
    law: 'Exact',
    edits: [['onUpdate: (previous, current) => tell([previous, current]),', 'onUpdate: () => {},']],
  },
];
