/** The content of `/version`. Upstream: kubernetes/apimachinery@v0.36.3 pkg/version/types.go Info */
export interface Version {
  readonly major: string;
  readonly minor: string;
  /**
   * The release whose behaviour the server emulates. After an upgrade, it can stay at the previous release for a while.
   */
  readonly emulationMajor: string;
  readonly emulationMinor: string;
  /** The oldest release that can run next to this one. */
  readonly minCompatibilityMajor: string;
  readonly minCompatibilityMinor: string;
  readonly gitVersion: string;
  readonly gitCommit: string;
  readonly gitTreeState: string;
  readonly buildDate: string;
  readonly goVersion: string;
  readonly compiler: string;
  readonly platform: string;
}

/** The release that this project follows. Differs: no commit and no date, as in a build by hand. */
export const v1_36: Version = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.3',
  gitCommit: '$Format:%H$',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'go1.26.4',
  compiler: 'gc',
  platform: 'linux/amd64',
};
