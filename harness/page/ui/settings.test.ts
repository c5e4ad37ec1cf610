import { describe, expect, test } from 'vitest';
import { defaultSettings, readSettings, writeSettings } from './settings.ts';

describe('Settings', () => {
  test('survive a reload', () => {
    const stored = new Map<string, string>();
    writeSettings(
      { setItem: (key, value) => void stored.set(key, value) },
      { ...defaultSettings, theme: 'dark', detailsPx: 420 },
    );
    expect(readSettings({ getItem: (key) => stored.get(key) ?? null })).toEqual({
      ...defaultSettings,
      theme: 'dark',
      detailsPx: 420,
    });
  });

  test.each(['', 'null', '{"theme":"pink"}', '[]'])('are the defaults for the damaged text %j', (text) => {
    expect(readSettings({ getItem: () => text })).toEqual(defaultSettings);
  });

  test('are the defaults where the browser refuses storage', () => {
    const refuse = () => {
      throw new Error('denied');
    };
    expect(readSettings({ getItem: refuse })).toEqual(defaultSettings);
    expect(() => writeSettings({ setItem: refuse }, defaultSettings)).not.toThrow();
  });
});
