/** What a reader has chosen for this browser. */
export interface Settings {
  readonly theme: 'system' | 'light' | 'dark';
  /** Whether the run pauses while its tab is hidden. */
  readonly pausesWhenHidden: boolean;
  /** Whether leases, node status and bookmarks are drawn. */
  readonly showsBackground: boolean;
  /** Whether single keys are commands. Readers who dictate turn them off. */
  readonly usesKeys: boolean;
  /** Whether the first hints have been closed. */
  readonly hidesHints: boolean;
  /** The width of the panel beside the picture, in px; undefined until the reader chooses one. */
  readonly detailsPx?: number;
}

export const defaultSettings: Settings = {
  theme: 'system',
  pausesWhenHidden: true,
  showsBackground: false,
  usesKeys: true,
  hidesHints: false,
};

const KEY = 'kubernetes-katas';

/** Reads the settings; the defaults where none are stored, or where storage is refused. */
export function readSettings(storage: Pick<Storage, 'getItem'>): Settings {
  try {
    return settingsOf(JSON.parse(storage.getItem(KEY) ?? '{}'));
  } catch {
    return defaultSettings;
  }
}

/** Stores the settings if the browser allows it. */
export function writeSettings(storage: Pick<Storage, 'setItem'>, settings: Settings): void {
  try {
    storage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A private window refuses storage. The settings last as long as the page.
  }
}

function settingsOf(stored: unknown): Settings {
  if (typeof stored !== 'object' || stored === null) return defaultSettings;
  const known = stored as Partial<Settings>;
  return {
    theme: known.theme === 'light' || known.theme === 'dark' ? known.theme : 'system',
    pausesWhenHidden: known.pausesWhenHidden !== false,
    showsBackground: known.showsBackground === true,
    usesKeys: known.usesKeys !== false,
    hidesHints: known.hidesHints === true,
    ...(typeof known.detailsPx === 'number' && { detailsPx: known.detailsPx }),
  };
}
