/**
 * The programs that set up the network of a machine. What is run here can be typed into the shell of a real node, word by word,
 * and does the same there.
 *
 * | program | what it sets up |
 * |---|---|
 * | `ip` | `link`, `addr`, `route`, `neigh`, `netns`; in another namespace with `-n NAME`, printed as JSON with `-j` |
 * | `bridge` | `link`: the ports of bridges; `fdb`: the addresses that they have learned |
 * | `iptables`, `iptables-save`, `iptables-restore` | rules: tables `nat` and `filter` |
 * | `conntrack` | the connections that the kernel keeps track of |
 * | `sysctl` | switches of the kernel: `net.ipv4.ip_forward` |
 *
 * Each of them runs in the namespace of the machine, if nothing else is said. `nsenter --net=/var/run/netns/cni-1 iptables …` runs
 * a program in another one.
 */
export interface NetworkTools {
  /**
   * Runs a program and waits for its end.
   *
   * @param argv its name, and its words: `['ip', '-n', 'cni-1', 'link', 'set', 'eth0', 'up']`
   * @param stdin what it reads: the rules of `iptables-restore`
   * @returns what it wrote to standard output
   * @throws ToolError when it exits with a code other than 0
   */
  run(argv: readonly string[], stdin?: string): Promise<string>;
}

/** A program that failed. `RTNETLINK answers: File exists` */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  /** The whole command: `ip link add cni0 type bridge`. */
  readonly command: string;
  readonly exitCode: number;
  /** What it wrote to standard error. */
  readonly stderr: string;

  constructor({ command, exitCode, stderr }: Pick<ToolError, 'command' | 'exitCode' | 'stderr'>) {
    super(`${command}: ${stderr.trim()}`);
    this.command = command;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/**
 * Runs a command as it is written. A space ends a word; what is put in is one word, whatever it holds, and an array is as many
 * words as it has:
 *
 *     await $`ip link add ${name} type veth peer name ${ifname} netns ${netns}`;
 *     const [bridge] = JSON.parse(await $`ip -j link show dev cni0`);
 *
 * @throws ToolError when the command fails
 */
export type Shell = (
  command: TemplateStringsArray,
  ...words: readonly (string | number | readonly string[])[]
) => Promise<string>;

/** The shell of a machine. */
export function shell(tools: NetworkTools): Shell {
  return (command, ...words) => {
    const argv: string[] = [];
    let open = '';
    for (const [i, text] of command.entries()) {
      const [first = '', ...rest] = text.split(/\s+/);
      open += first;
      for (const word of rest) {
        if (open !== '') argv.push(open);
        open = word;
      }
      const put = words[i];
      if (put === undefined) continue;
      if (typeof put === 'object') argv.push(...put);
      else open += put;
    }
    if (open !== '') argv.push(open);
    return tools.run(argv);
  };
}
