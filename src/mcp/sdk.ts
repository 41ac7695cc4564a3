// The parts of the official SDK that the server of `casework mcp` stands on, and nothing else of
// it. The build puts one file in the place of this one, with these parts in it
// (scripts/bundle-mcp-sdk.ts), so the published package does not need the SDK and its packages.

export { Server } from '@modelcontextprotocol/sdk/server/index.js'
export { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
export { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
export {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  isInitializeRequest,
  ListToolsRequestSchema,
  McpError,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
