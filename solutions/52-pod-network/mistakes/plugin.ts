import type { Mistake } from '#harness/testing';

/**
 * The parts of the plugin: levels 1 to 3. `cni#`, `cnip#`, `fl#` are issues of containernetworking/cni,
 * containernetworking/plugins, flannel.
 */
export const plugin: readonly Mistake[] = [
  {
    id: 'mac-of-the-lowest-port',
    why: "Does not set the bridge's MAC address: it changes to the lowest of its ports.",
    origin: 'cni#285, flannel#1381: all pods of a node lose their connections when one comes or goes',
    law: 'Constant MAC',
    edits: [[` address \${link.address} up\``, ' up`']],
  },
  {
    id: 'mac-of-a-new-bridge-only',
    why: 'Sets the MAC address only of a bridge that it creates, not of an existing one.',
    origin: 'common',
    law: 'Constant MAC',
    edits: [
      [
        `await $\`ip link set dev \${name} address \${link.address} up\`;`,
        `await $\`ip link set dev \${name} \${made === undefined ? [] : ['address', link.address]} up\`;`,
      ],
    ],
  },
  {
    id: 'bridge-stays-down',
    why: 'Does not bring up an existing bridge.',
    origin: 'common',
    law: 'Level 1',
    edits: [[` address \${link.address} up\``, ` address \${link.address}\``]],
  },
  {
    id: 'bridge-made-twice',
    why: 'Fails if another plugin creates the bridge at the same time.',
    origin: 'common: the first pods of a node start together',
    law: 'Succeeds',
    edits: [
      [' type bridge`.catch((error: Error) => error)', ' type bridge`'],
      [`\${reasonOf(made)}`, `\${reasonOf(undefined)} \${made ?? ''}`],
    ],
  },
  {
    id: 'any-link-is-a-bridge',
    why: 'Uses any link with the right name as the bridge.',
    origin: 'common',
    law: 'Succeeds',
    edits: [["if (link.linkinfo?.info_kind !== 'bridge') {", "if (link.linkinfo?.info_kind === 'bond') {"]],
  },
  {
    id: 'named-for-the-pod',
    why: 'The name of the host end depends only on a part of the network namespace: pods with similar names get the same interface.',
    origin:
      'calico#10375, cni-plugin#311: a late DEL takes the interface of the successor with the same name',
    law: 'Isolated',
    edits: [
      [`sha512(\`\${containerID} \${ifname}\`)`, `sha512(\`\${containerID.replace(/-.*/, '')} \${ifname}\`)`],
    ],
  },
  {
    id: 'name-without-the-interface',
    why: 'The name of the host end depends only on the container: a second interface of the same container conflicts with the first.',
    origin: 'common with several networks',
    law: 'Isolated',
    edits: [[`sha512(\`\${containerID} \${ifname}\`)`, 'sha512(containerID)']],
  },
  {
    id: 'no-hairpin',
    why: 'Does not set the hairpin mode: a pod cannot reach itself through its Service.',
    origin: 'k#13375, calico/cni-plugin#40',
    law: 'Reaches itself',
    edits: [[`\${hairpinMode ? 'on' : 'off'}`, 'off']],
  },
  {
    id: 'hairpin-always',
    why: 'Always sets the hairpin mode, regardless of the configuration.',
    origin: 'common',
    law: 'Reaches itself',
    edits: [[`\${hairpinMode ? 'on' : 'off'}`, 'on']],
  },
  {
    id: 'host-end-stays-down',
    why: 'Does not bring up the host end.',
    origin: 'common',
    law: 'Connects',
    edits: [[`  await $\`ip link set dev \${host} up\`;\n`, '']],
  },
  {
    id: 'in-no-bridge',
    why: 'Creates the pair without attaching it to the bridge.',
    origin: 'common',
    law: 'Connects',
    edits: [
      [`\${sized} master \${bridge} type veth`, `\${sized} type veth`],
      [`  await $\`bridge link set dev \${host} hairpin \${hairpinMode ? 'on' : 'off'}\`;\n`, ''],
    ],
  },
  {
    id: 'port-in-a-second-step',
    why: 'Attaches the host end in a second step: a crash in between leaves an end in no bridge, and GC ignores it.',
    origin: 'common',
    law: 'Collects garbage',
    edits: [
      ['(link.master === undefined && ', '(link.master === bridge && '],
      [
        `  await $\`ip link add \${host} \${sized} master \${bridge} type veth peer name \${ifname} \${sized} netns \${netns}\`;\n`,
        `  await $\`ip link add \${host} \${sized} type veth peer name \${ifname} \${sized} netns \${netns}\`;\n  await $\`ip link set dev \${host} master \${bridge}\`;\n`,
      ],
    ],
  },
  {
    id: 'takes-what-is-there',
    why: "Removes another program's interface with the same name, and takes its place.",
    origin: 'cni-plugin#275, coil#70: the wrong cure for “file exists”',
    law: 'Succeeds',
    edits: [
      [
        `throw new Error(\`container veth name ("\${ifname}") peer provided ("\${host}") already exists\`);`,
        `await $\`ip -n \${netns} link del dev \${ifname}\`;`,
      ],
    ],
  },
  {
    id: 'removes-only-what-is-there',
    why: 'Fails if the interface to remove does not exist.',
    origin: 'common: DEL is called for what was never added',
    law: 'Succeeds',
    edits: [
      ['  if (!(await linkNamed($, host))) return;\n', ''],
      ['    if (await linkNamed($, host)) throw error;', '    throw error;'],
    ],
  },
  {
    id: 'bandwidth-of-one',
    why: 'Sets the MTU only of the host end.',
    origin: 'common',
    law: 'As configured',
    edits: [[`peer name \${ifname} \${sized} netns`, `peer name \${ifname} netns`]],
  },
  {
    id: 'delegates-to-ten',
    why: 'Ignores a failure of the address manager.',
    origin: 'common',
    law: 'Level 3',
    edits: [['  if (exit.code !== 0) throw errorOf(exit);\n', '']],
  },
  {
    id: 'addresses-of-the-bridge',
    why: 'The address refers to interface 0, the bridge.',
    origin: 'cnip: results of CNI 0.3 had it so',
    law: 'As configured',
    edits: [['interface: 2 };', 'interface: 0 };']],
  },
  {
    id: 'gateway-is-the-address',
    why: "Uses the address after the pod's as the gateway.",
    origin: 'common',
    law: 'As configured',
    edits: [['plus(firstOf(parsePrefix(address)), 1)', 'plus(parsePrefix(address).ip, 1)']],
  },
  {
    id: 'default-gateway-is-no-gateway',
    why: 'With isDefaultGateway alone, the bridge gets no address.',
    origin: 'common',
    law: 'Reaches nodes',
    edits: [['const isRouter = isGateway || isDefaultGateway;', 'const isRouter = isGateway;']],
  },
  {
    id: 'no-default-route',
    why: 'Adds no default route.',
    origin: 'common',
    law: 'Reaches outside',
    edits: [
      [
        'for (const { address, gateway } of isDefaultGateway ? all : []) {',
        'for (const { address, gateway } of isGateway ? all : []) {',
      ],
    ],
  },
  {
    id: 'two-default-routes',
    why: 'Adds a default route next to an existing one.',
    origin: 'common: “File exists”',
    law: 'Succeeds',
    edits: [
      [
        'if (!found.some((route) => route.dst === dst) && gateway !== undefined)',
        'if (gateway !== undefined)',
      ],
    ],
  },
  {
    id: 'second-default-route-without-a-gateway',
    why: 'Adds a default route next to one without a gateway: both use the same gateway, and ADD fails.',
    origin: 'cnip v1.9.1 bridge.go calcGateways: “File exists”',
    law: 'Succeeds',
    edits: [
      [
        'found.some((route) => route.dst === dst)',
        'found.some((route) => route.dst === dst && route.gw !== undefined)',
      ],
    ],
  },
  {
    id: 'announces-nothing',
    why: 'Does not announce the address: others send to the pod that had it before.',
    origin: 'cni#194, k#24953',
    law: 'Connects',
    edits: [[`  await $\`nsenter --net=\${netns} sysctl -w net.ipv4.conf.\${ifname}.arp_notify=1\`;\n`, '']],
  },
  {
    id: 'announces-too-late',
    why: 'Enables the announcement after the interface is up.',
    origin: 'common',
    law: 'Connects',
    edits: [
      [`  await $\`nsenter --net=\${netns} sysctl -w net.ipv4.conf.\${ifname}.arp_notify=1\`;\n`, ''],
      [
        '  for (const { dst, gw } of routes) {',
        `  await $\`nsenter --net=\${netns} sysctl -w net.ipv4.conf.\${ifname}.arp_notify=1\`;\n  for (const { dst, gw } of routes) {`,
      ],
    ],
  },
  {
    id: 'address-of-one',
    why: 'Gives the pod its address without the prefix length.',
    origin: 'common',
    law: 'As configured',
    edits: [
      [
        `for (const { address } of ips) await $\`ip -n \${at} addr add \${address} dev \${ifname}\`;`,
        `for (const { address } of ips) await $\`ip -n \${at} addr add \${address.split('/')[0] as string} dev \${ifname}\`;`,
      ],
      [`\${via ? ['via', via] : []} dev \${ifname}\``, `\${via ? ['via', via] : []} dev \${ifname} onlink\``],
    ],
  },
  {
    id: 'does-not-forward',
    why: 'Does not enable forwarding on the node.',
    origin: 'k#: the preflight check of kubeadm, /proc/sys/net/ipv4/ip_forward',
    law: 'Reaches outside',
    edits: [
      [
        `  await $\`sysctl -w \${isV4(gateway) ? 'net.ipv4.ip_forward=1' : 'net.ipv6.conf.all.forwarding=1'}\`;\n`,
        '',
      ],
    ],
  },
  {
    id: 'forwards-for-the-first-pod',
    why: "Enables forwarding only when it adds the bridge's address: after a boot in which another program created the bridge, packets are not forwarded.",
    origin: 'common',
    law: 'Reaches outside',
    edits: [
      [
        '  if (!(await hasAddress($, bridge, gateway))) {\n',
        '  if (await hasAddress($, bridge, gateway)) return;\n  {\n',
      ],
    ],
  },
  {
    id: 'two-gateways-at-once',
    why: "Fails if another plugin adds the bridge's address at the same time.",
    origin: 'common: the first pods of a node start together',
    law: 'Succeeds',
    edits: [
      [
        `dev \${bridge}\`.catch(async (error: Error) => {\n      if (!(await hasAddress($, bridge, gateway))) throw error;\n    });`,
        `dev \${bridge}\`;`,
      ],
    ],
  },
  {
    id: 'one-bridge-two-networks',
    why: 'Adds its address to a bridge that has another one.',
    origin: 'flannel after a change of the network: “cni0 already has an IP address different from”',
    law: 'Succeeds',
    edits: [['if (has || !clashes) return has;', 'if (has || !clashes || bridge) return has;']],
  },
];
