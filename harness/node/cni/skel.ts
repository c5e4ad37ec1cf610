import type { CniConfiguration, CniExit, CniPlugin, CniProcess } from '../../contracts/node/cni-plugin.ts';
import { CniError, type CniResult } from '../../contracts/node/network-plugin.ts';
import { writtenResult } from './result.ts';

/** A parsed and validated call of a plugin. */
export interface CniRequest {
  /** Empty for `GC` and `STATUS`. */
  readonly containerID: string;
  /** The path of the namespace; may be empty for `DEL`. */
  readonly netns: string;
  readonly ifname: string;
  /** The arguments of `CNI_ARGS`: `{ K8S_POD_NAME: 'web' }`. */
  readonly args: Readonly<Record<string, string>>;
  readonly config: CniConfiguration;
  readonly process: CniProcess;
}

/** The implementations of a plugin's commands. A missing command succeeds without an effect. */
interface CniCommands {
  add(request: CniRequest): Promise<CniResult>;
  del(request: CniRequest): Promise<void>;
  check?(request: CniRequest): Promise<void>;
  gc?(request: CniRequest): Promise<void>;
  status?(request: CniRequest): Promise<void>;
}

/** The versions of the specification that a plugin supports. */
export const CNI_VERSIONS: readonly string[] = [
  '0.1.0',
  '0.2.0',
  '0.3.0',
  '0.3.1',
  '0.4.0',
  '1.0.0',
  '1.1.0',
];

/** The answer to `VERSION`. */
const versions = { cniVersion: CNI_VERSIONS.at(-1), supportedVersions: CNI_VERSIONS };

/** The error codes that the specification defines. Upstream: containernetworking/cni@v1.3.0 pkg/types/types.go */
export const cniCodes = {
  incompatibleVersion: 1,
  unsupportedField: 2,
  unknownContainer: 3,
  invalidEnvironment: 4,
  ioFailure: 5,
  decodingFailure: 6,
  invalidNetworkConfig: 7,
  invalidNetNS: 8,
  tryAgainLater: 11,
  pluginNotAvailable: 50,
  limitedConnectivity: 51,
  internal: 999,
} as const;

/** The version of the specification that introduced each command. */
const since: Readonly<Record<string, string>> = { CHECK: '0.4.0', GC: '1.1.0', STATUS: '1.1.0' };

const needs: Readonly<Record<string, readonly string[]>> = {
  ADD: ['CNI_CONTAINERID', 'CNI_NETNS', 'CNI_IFNAME', 'CNI_PATH'],
  CHECK: ['CNI_CONTAINERID', 'CNI_NETNS', 'CNI_IFNAME', 'CNI_PATH'],
  DEL: ['CNI_CONTAINERID', 'CNI_IFNAME', 'CNI_PATH'],
  GC: ['CNI_PATH'],
  STATUS: ['CNI_PATH'],
};

/**
 * Creates a plugin from its commands. It parses and validates the environment and the configuration, and prints the
 * result or the error. An error that is not a {@link CniError} gets the code 999.
 *
 * Upstream: containernetworking/cni@v1.3.0 pkg/skel/skel.go dispatcher.pluginMain
 */
export function pluginMain(commands: CniCommands): CniPlugin {
  return async (process) => {
    try {
      if (process.env.CNI_COMMAND === 'VERSION')
        return { code: 0, stdout: `${JSON.stringify(versions)}\n`, stderr: '' };
      return printed(await dispatch(commands, process));
    } catch (error) {
      const { code, message, details } =
        error instanceof CniError
          ? error
          : { code: cniCodes.internal, message: messageOf(error), details: undefined };
      const told = { code, msg: message, ...(details && { details }) };
      return { ...printed(told), code: 1 };
    }
  };
}

async function dispatch(commands: CniCommands, process: CniProcess): Promise<unknown> {
  const { env } = process;
  const command = env.CNI_COMMAND ?? '';
  const missing = ['CNI_COMMAND', ...(needs[command] ?? [])].filter((name) => !env[name]);
  if (missing.length > 0) {
    throw new CniError(cniCodes.invalidEnvironment, `required env variables [${missing.join(',')}] missing`);
  }
  checkNames(command, env);
  const request = { ...requestOf(process), config: readConfiguration(process.stdin) };
  if (!needs[command]) throw new CniError(cniCodes.invalidEnvironment, `unknown CNI_COMMAND: ${command}`);
  checkVersion(command, request.config);
  switch (command) {
    case 'ADD':
      return writtenResult(await commands.add(request), request.config.cniVersion);
    case 'DEL':
      return commands.del(request);
    case 'CHECK':
      return commands.check?.(request);
    case 'GC':
      return commands.gc?.(request);
    default:
      return commands.status?.(request);
  }
}

function requestOf(process: CniProcess): Omit<CniRequest, 'config'> {
  const { CNI_CONTAINERID = '', CNI_NETNS = '', CNI_IFNAME = '', CNI_ARGS = '' } = process.env;
  const pairs = CNI_ARGS.split(';').filter(Boolean);
  const args = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2) as [string, string]));
  return { containerID: CNI_CONTAINERID, netns: CNI_NETNS, ifname: CNI_IFNAME, args, process };
}

/** Upstream: containernetworking/cni@v1.3.0 pkg/utils/utils.go ValidateContainerID, ValidateInterfaceName */
function checkNames(command: string, { CNI_CONTAINERID = '', CNI_IFNAME = '' }: CniProcess['env']): void {
  const wrong = (message: string, details?: string): never => {
    throw new CniError(cniCodes.invalidEnvironment, message, details);
  };
  if (!needs[command]?.includes('CNI_IFNAME')) return;
  if (!NAME.test(CNI_CONTAINERID)) wrong('invalid characters in containerID', CNI_CONTAINERID);
  if (CNI_IFNAME.length > 15)
    wrong('interface name is too long', 'interface name should be less than 16 characters');
  if (CNI_IFNAME === '.' || CNI_IFNAME === '..') wrong('interface name is . or ..');
  if (/[/:\s]/.test(CNI_IFNAME)) wrong('interface name contains / or : or whitespace characters');
}

const NAME = /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/;

const NO_LISTS = { interfaces: [], ips: [], routes: [] };

/** @throws CniError when the network configuration is invalid */
function readConfiguration(stdin: string): CniConfiguration {
  let config: Partial<CniConfiguration>;
  try {
    config = JSON.parse(stdin);
  } catch (error) {
    throw new CniError(cniCodes.decodingFailure, `error unmarshall network config: ${messageOf(error)}`);
  }
  const { name = '', cniVersion = '0.1.0', type = '' } = config;
  if (name === '') throw new CniError(cniCodes.invalidNetworkConfig, 'missing network name');
  if (!NAME.test(name)) {
    throw new CniError(cniCodes.invalidNetworkConfig, 'invalid characters found in network name', name);
  }
  const { prevResult } = config;
  return {
    ...config,
    name,
    cniVersion,
    type,
    // A written result omits empty lists.
    ...(prevResult && { prevResult: { ...NO_LISTS, ...prevResult } }),
  };
}

function checkVersion(command: string, { cniVersion }: CniConfiguration): void {
  const first = since[command];
  if (
    first !== undefined &&
    CNI_VERSIONS.indexOf(cniVersion) < CNI_VERSIONS.indexOf(first) &&
    CNI_VERSIONS.includes(cniVersion)
  ) {
    throw new CniError(cniCodes.incompatibleVersion, `config version does not allow ${command}`);
  }
  if (CNI_VERSIONS.includes(cniVersion)) return;
  const details = `config is "${cniVersion}", plugin supports [${CNI_VERSIONS.map((version) => `"${version}"`).join(' ')}]`;
  throw new CniError(cniCodes.incompatibleVersion, 'incompatible CNI versions', details);
}

/** Prints a result like Go, indented by four spaces; an undefined result prints nothing. */
function printed(result: unknown): CniExit {
  return { code: 0, stdout: result === undefined ? '' : JSON.stringify(result, undefined, 4), stderr: '' };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
