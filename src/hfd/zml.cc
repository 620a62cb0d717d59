#include "hfd/zml.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/load_limits.h"
#include "core/path.h"

namespace sinew::hfd {
namespace {

using mjcf::XmlNode;

// Groups are read by recursion; models have five levels.
constexpr int kMaxDepth = 100;
constexpr double kBytesOfElement = 100 + 2 * sizeof(XmlNode);

enum class TokenKind { kEnd, kText, kEquals, kBeginGroup, kEndGroup, kBeginList, kEndList };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;
  bool is_quoted = false;
  int line = 1;
};

class Lexer {
 public:
  Lexer(const std::string& text, const std::string& file) : text_(text), file_(file) {}

  Token Next() {
    SkipBlanks();
    Token token;
    token.line = line_;
    if (at_ >= text_.size()) return token;
    constexpr std::string_view kSigns = "={}[]";
    const std::size_t sign = kSigns.find(text_[at_]);
    if (sign != std::string_view::npos) {
      ++at_;
      token.kind = static_cast<TokenKind>(static_cast<std::size_t>(TokenKind::kEquals) + sign);
      token.text = kSigns[sign];
      return token;
    }
    token.kind = TokenKind::kText;
    token.is_quoted = text_[at_] == '"';
    token.text = token.is_quoted ? Quoted() : Word();
    return token;
  }

  [[noreturn]] void Fail(const std::string& problem, const std::string& remedy, int line) const {
    throw Error(problem, remedy, {file_, line, ""});
  }

 private:
  static bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

  void SkipBlanks() {
    while (at_ < text_.size()) {
      if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (text_.compare(at_, 2, "/*") == 0) {
        SkipComment();
      } else if (IsBlank(text_[at_])) {
        if (text_[at_++] == '\n') ++line_;
      } else {
        return;
      }
    }
  }

  void SkipComment() {
    const std::size_t end = text_.find("*/", at_ + 2);
    if (end == std::string::npos) Fail("the comment has no end", "close it by */", line_);
    for (; at_ < end + 2; ++at_) line_ += text_[at_] == '\n' ? 1 : 0;
  }

  std::string Word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && !IsBlank(text_[at_]) &&
           std::string_view("={}[]#\"").find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    return text_.substr(begin, at_ - begin);
  }

  std::string Quoted() {
    const int begin = line_;
    std::string text;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      line_ += text_[at_] == '\n' ? 1 : 0;
      text += text_[at_];
    }
    if (at_ >= text_.size()) Fail("the text in quotes has no end", "close it by \"", begin);
    ++at_;
    return text;
  }

  const std::string& text_;
  const std::string& file_;
  std::size_t at_ = 0;
  int line_ = 1;
};

class Parser {
 public:
  Parser(const std::string& text, const std::string& file) : lexer_(text, file), token_(lexer_.Next()) {}

  // Reads the document, which is one entry.
  XmlNode Document() {
    XmlNode whole;
    Entries(TokenKind::kEnd, 0, &whole);
    if (whole.children.empty()) lexer_.Fail("the document has no entry", "begin it with model {", 1);
    if (whole.children.size() > 1) {
      lexer_.Fail("the document has a second entry '" + whole.children[1].tag + "'", "put all into model { }",
                  whole.children[1].line);
    }
    return std::move(whole.children.front());
  }

 private:
  // Key, an equals sign that may be left out in front of groups and lists, value.
  void Entries(TokenKind end, int depth, XmlNode* parent) {
    if (depth > kMaxDepth) lexer_.Fail("groups are nested too deeply", "", token_.line);
    while (token_.kind != end) {
      if (token_.text == "<<" && !token_.is_quoted) {
        lexer_.Fail("other files are not read here", "put the text of that file into this one", token_.line);
      }
      if (token_.kind != TokenKind::kText) Unexpected("a key");
      const Token key = Take();
      XmlNode entry = NodeOf(key.text, key.line);
      const bool has_sign = token_.kind == TokenKind::kEquals;
      if (has_sign) Take();
      if (!has_sign && token_.kind != TokenKind::kBeginGroup && token_.kind != TokenKind::kBeginList) {
        Unexpected("a value of '" + key.text + "'");
      }
      Value(depth, &entry);
      if (key.text.size() > 1 && key.text.front() == '$') {
        variables_[key.text] = entry.text;
      } else {
        Append(std::move(entry), parent);
      }
    }
    Take();
  }

  void Value(int depth, XmlNode* entry) {
    const Token value = Take();
    switch (value.kind) {
      case TokenKind::kText:
        entry->text = TextOf(value);
        break;
      case TokenKind::kBeginGroup:
        Entries(TokenKind::kEndGroup, depth + 1, entry);
        break;
      case TokenKind::kBeginList:
        List(depth + 1, entry);
        break;
      default:
        token_ = value;
        Unexpected("a value of '" + entry->tag + "'");
    }
  }

  void List(int depth, XmlNode* list) {
    if (depth > kMaxDepth) lexer_.Fail("lists are nested too deeply", "", token_.line);
    while (token_.kind != TokenKind::kEndList) {
      XmlNode item = NodeOf(kItem, token_.line);
      Value(depth, &item);
      Append(std::move(item), list);
    }
    Take();
  }

  std::string TextOf(const Token& value) const {
    if (value.is_quoted || value.text.empty() || value.text.front() != '$') return value.text;
    const auto found = variables_.find(value.text);
    if (found == variables_.end()) {
      lexer_.Fail("'" + value.text + "' is not defined", "define it above, as " + value.text + " = 1", value.line);
    }
    return found->second;
  }

  // The name of a group is an attribute too, by which places are called.
  static void Append(XmlNode entry, XmlNode* parent) {
    if (entry.tag == "name" && !parent->Find("name")) parent->attributes.emplace_back("name", entry.text);
    parent->children.push_back(std::move(entry));
  }

  XmlNode NodeOf(std::string tag, int line) {
    constexpr int kBatch = 1000;  // of elements between looks at the memory
    if (count_++ % kBatch == 0) KeepLoadMemory(HoldLoadMemory(kBatch * kBytesOfElement, "the document"));
    XmlNode node;
    node.tag = std::move(tag);
    node.line = line;
    node.order = count_;
    return node;
  }

  [[noreturn]] void Unexpected(const std::string& wanted) const {
    const std::string found = token_.kind == TokenKind::kEnd ? "the end of the file" : "'" + token_.text + "'";
    lexer_.Fail(found + " stands where " + wanted + " is expected",
                "write key = value, key { entries } or key [ values ]", token_.line);
  }

  Token Take() { return std::exchange(token_, lexer_.Next()); }

  Lexer lexer_;
  Token token_;  // the next one
  std::map<std::string, std::string, std::less<>> variables_;
  int count_ = 0;
};

void Connect(const std::string* file, const XmlNode* parent, XmlNode* node) {
  node->file = file;
  node->parent = parent;
  for (XmlNode& child : node->children) Connect(file, node, &child);
}

}  // namespace

mjcf::XmlDocument LoadZml(const std::string& name, const std::string& text) {
  mjcf::XmlDocument document;
  document.files.push_back(name);
  document.directory = DirName(name);
  document.root = std::make_unique<XmlNode>(Parser(text, name).Document());
  Connect(&document.files.front(), nullptr, document.root.get());
  return document;
}

}  // namespace sinew::hfd
