/**
 * The programs that configure the network of a machine. Each command works the same, word for word, in the shell of a
 * real node.
 *
 * | program | it configures |
 * |---|---|
 * | `ip` | `link`, `addr`, `route`, `neigh`, `netns`; in another namespace with `-n NAME`, printed as JSON with `-j` |
 * | `bridge` | `link`: the ports of bridges; `fdb`: the addresses that they have learned |
 * | `iptables`, `iptables-save`, `iptables-restore` | rules: tables `nat` and `filter` |
 * | `conntrack` | the connections that the kernel tracks |
 * | `sysctl` | kernel settings: `net.ipv4.ip_forward` |
 *
 * By default a program runs in the namespace of the machine. `nsenter --net=/var/run/netns/cni-1 iptables …` runs it in
 * another namespace.
 */
export interface NetworkTools {
  /**
   * Runs a program and waits until it exits.
   *
   * @param argv the program and its arguments: `['ip', '-n', 'cni-1', 'link', 'set', 'eth0', 'up']`
   * @param stdin the standard input: the rules for `iptables-restore`
   * @returns the standard output
   * @throws ToolError when the exit code is not 0
   */
  run(argv: readonly string[], stdin?: string): Promise<string>;
}

/** A failed program. `RTNETLINK answers: File exists` */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  /** The whole command: `ip link add cni0 type bridge`. */
  readonly command: string;
  readonly exitCode: number;
  /** The standard error of the program. */
  readonly stderr: string;

  constructor({ command, exitCode, stderr }: Pick<ToolError, 'command' | 'exitCode' | 'stderr'>) {
    super(`${command}: ${stderr.trim()}`);
    this.command = command;
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/**
 * Runs a command template. Spaces separate the words. An inserted value is part of one word, whatever it contains; an
 * inserted array adds one word per element:
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

/** Creates the shell of a machine. */
export function shell(tools: NetworkTools): Shell {
  return (command, ...words) => {
    const argv: string[] = [];
    let open = '';
    for (const [i, text] of wordsIn(command).entries()) {
      for (const [n, word] of text.entries()) {
        if (n > 0 && open !== '') argv.push(open);
        open = n > 0 ? word : open + word;
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

/** The words of each template, which JavaScript creates once for each place in the code. */
const templates = new WeakMap<TemplateStringsArray, readonly (readonly string[])[]>();

function wordsIn(command: TemplateStringsArray): readonly (readonly string[])[] {
  const known = templates.get(command);
  if (known) return known;
  const words = command.map((text) => text.split(/\s+/));
  templates.set(command, words);
  return words;
}
