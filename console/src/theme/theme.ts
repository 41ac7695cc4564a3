// The component library in our sizes and colours: controls of 32 px, text of 14 and 12 px, one
// accent colour, no shadow but on what floats.

import {
  ActionIcon,
  Button,
  type CSSVariablesResolver,
  createTheme,
  Input,
  type MantineColorsTuple,
  Menu,
  Modal,
  SegmentedControl,
  Tooltip,
} from '@mantine/core'

const ACCENT: MantineColorsTuple = [
  '#eef1fd',
  '#dbe2fb',
  '#b9c6f7',
  '#9db0ff',
  '#7189ee',
  '#5570e6',
  '#4a63e0',
  '#3b5bdb',
  '#3451c7',
  '#2a42a3',
]

// From text to ground, as the component library reads them.
const DARK: MantineColorsTuple = [
  '#e6e8ec',
  '#b4bac5',
  '#a0a7b3',
  '#717885',
  '#3a404b',
  '#2d323b',
  '#20242b',
  '#16181d',
  '#121419',
  '#0d0f13',
]

// White text can be read on the two that fill a button.
const RED: MantineColorsTuple = [
  '#fdeeee',
  '#fbd9d9',
  '#f5b0b0',
  '#ff9a9a',
  '#e05252',
  '#d33c3c',
  '#c93030',
  '#bd2222',
  '#a51b1b',
  '#8a1515',
]

export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent: ACCENT, dark: DARK, red: RED },
  primaryShade: { light: 7, dark: 6 },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 6,
  respectReducedMotion: true,
  cursorType: 'pointer',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '20px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '28px', xl: '28px' },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
  headings: { fontWeight: '600' },
  components: {
    Button: Button.extend({
      vars: () => ({
        root: {
          '--button-height': '32px',
          '--button-fz': '14px',
          '--button-padding-x': '12px',
        },
      }),
      styles: { root: { fontWeight: 500 } },
    }),
    ActionIcon: ActionIcon.extend({
      defaultProps: { variant: 'subtle', color: 'gray' },
      vars: () => ({ root: { '--ai-size': '32px' } }),
    }),
    Input: Input.extend({
      vars: () => ({
        wrapper: {
          '--input-height': '32px',
          '--input-fz': '14px',
          '--input-bd': 'var(--line-strong)',
          '--input-bg': 'var(--ground)',
        },
      }),
    }),
    InputWrapper: Input.Wrapper.extend({
      styles: {
        label: { fontSize: 14, fontWeight: 500, marginBottom: 4 },
        description: { marginBottom: 4 },
      },
    }),
    Menu: Menu.extend({
      defaultProps: { shadow: 'md', position: 'bottom-end', offset: 4 },
      styles: { item: { padding: '6px 8px' } },
    }),
    Modal: Modal.extend({
      defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.35 } },
      styles: { title: { fontWeight: 600 } },
    }),
    SegmentedControl: SegmentedControl.extend({
      defaultProps: { size: 'sm', withItemsBorders: false },
      vars: () => ({ root: { '--sc-font-size': '14px', '--sc-padding': '3px 12px' } }),
    }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 400, withinPortal: true } }),
  },
})

const SHARED = {
  '--mantine-color-body': 'var(--ground)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-dim)',
  '--mantine-color-placeholder': 'var(--text-dim)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-error': 'var(--red)',
  '--mantine-color-default': 'var(--ground)',
  '--mantine-color-default-hover': 'var(--ground-hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-gray-light-color': 'var(--text)',
  '--mantine-color-gray-light-hover': 'var(--ground-hover)',
  '--mantine-color-gray-filled': 'var(--text-dim)',
  '--mantine-shadow-md': 'var(--shadow)',
}

export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: SHARED,
  dark: SHARED,
})
