import { describe, expect, test } from 'vitest';
import { commandOf } from './keyboard.ts';

const press = { hasModifier: false, isTyping: false, isPressable: false, usesKeys: true };

describe('A key', () => {
  test('is a command', () => {
    expect([' ', '+', '-', '.', ',', 'End', '?'].map((key) => commandOf({ ...press, key }))).toEqual([
      'play',
      'faster',
      'slower',
      'step',
      'back',
      'end',
      'help',
    ]);
  });

  test('belongs to a field for text, except Escape', () => {
    expect(commandOf({ ...press, key: '.', isTyping: true })).toBeUndefined();
    expect(commandOf({ ...press, key: 'Escape', isTyping: true })).toBe('close');
  });

  test('belongs to the browser with Ctrl, Alt or Meta', () => {
    expect(commandOf({ ...press, key: '-', hasModifier: true })).toBeUndefined();
  });

  test('does nothing where the reader has turned single keys off, except Escape', () => {
    const off = { ...press, usesKeys: false };
    expect(['.', ' ', 'Escape'].map((key) => commandOf({ ...off, key }))).toEqual([
      undefined,
      undefined,
      'close',
    ]);
  });

  test('presses a button, if it is the space bar', () => {
    expect(commandOf({ ...press, key: ' ', isPressable: true })).toBeUndefined();
    expect(commandOf({ ...press, key: '.', isPressable: true })).toBe('step');
  });
});
