#include "core/resources.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.h"
#include "core/path.h"
#include "core/providers.h"

namespace sinew {
namespace {

Bytes ToBytes(const std::string& text) { return Bytes(text.begin(), text.end()); }

TEST(PathTest, SplitsAndJoins) {
  EXPECT_EQ(BaseName("a/b\\c.xml"), "c.xml");
  EXPECT_EQ(DirName("a/b\\c.xml"), "a/b\\");
  EXPECT_EQ(DirName("c.xml"), "");
  EXPECT_EQ(JoinPath("dir", "x"), "dir/x");
  EXPECT_EQ(JoinPath("dir/", "x"), "dir/x");
  EXPECT_EQ(JoinPath("", "x"), "x");
  for (const char* absolute : {"/x", "\\x", "c:/x", "package://x"}) EXPECT_EQ(JoinPath("dir", absolute), absolute);
  EXPECT_EQ(NormalizePath("a/./b/../c"), "a/c");
  EXPECT_EQ(ResolvePath("link", "../x"), "x");
  EXPECT_EQ(ResolvePath("dir", "package://a/../b"), "package://a/../b");
  EXPECT_EQ(ResolvePath("prov:dir/", "../x"), "prov:x");
  EXPECT_EQ(JoinPath(DirName("prov:main.xml"), "x"), "prov:/x") << "a scheme survives";
}

TEST(PathTest, SchemesHaveMoreThanOneLetter) {
  EXPECT_EQ(Scheme("package://a"), "package");
  EXPECT_EQ(Scheme("c:/a"), "");
  EXPECT_EQ(Scheme("1a:b"), "");
  EXPECT_EQ(Scheme("a/b:c"), "");
}

class VfsTest : public testing::Test {
 protected:
  VfsTest() { vfs.impl_ = &files; }
  std::string Read(const std::string& name, const std::string& dir = "") {
    const auto bytes = ReadResource(&vfs, dir, name);
    return bytes ? std::string(bytes->begin(), bytes->end()) : "(none)";
  }

  Vfs files;
  mjVFS vfs = {};
};

TEST_F(VfsTest, FindsTheExactPathFirst) {
  EXPECT_TRUE(files.AddBuffer("x.stl", ToBytes("outer")));
  EXPECT_TRUE(files.AddBuffer("dir/x.stl", ToBytes("inner")));
  EXPECT_EQ(Read("dir/x.stl"), "inner");
  EXPECT_EQ(Read("x.stl", "dir"), "inner");
  EXPECT_EQ(Read("dir/../x.stl"), "outer");
}

TEST_F(VfsTest, FallsBackToTheNameIgnoringCase) {
  files.AddBuffer("foo.stl", ToBytes("foo"));
  EXPECT_EQ(Read("some/dir/Foo.STL"), "foo");
  EXPECT_EQ(Read("bar.stl"), "(none)");
}

TEST_F(VfsTest, FilesExistWhereTheyWouldBeFound) {
  files.AddBuffer("foo.stl", ToBytes("foo"));
  EXPECT_TRUE(Resource::Exists(&vfs, "some/dir", "Foo.STL"));
  EXPECT_FALSE(Resource::Exists(&vfs, "", "bar.stl"));
  EXPECT_FALSE(Resource::Exists(nullptr, "", testing::TempDir()));  // a folder
}

TEST_F(VfsTest, NamesOfBuffersAreCaseSensitive) {
  EXPECT_TRUE(files.AddBuffer("Foo", ToBytes("1")));
  EXPECT_TRUE(files.AddBuffer("foo", ToBytes("2")));
  EXPECT_FALSE(files.AddBuffer("foo", ToBytes("3")));
  EXPECT_EQ(Read("Foo"), "1");
}

TEST_F(VfsTest, FilesAreKeptUnderTheirLowerCaseName) {
  files.AddFile("Dir/Foo.XML", ToBytes("x"));
  EXPECT_TRUE(files.ContainsBuffer("foo.xml"));
  EXPECT_TRUE(files.ContainsFile("other/FOO.xml"));
  EXPECT_TRUE(files.Remove("Dir/Foo.XML"));
  EXPECT_FALSE(files.Remove("Dir/Foo.XML"));
}

TEST_F(VfsTest, AnOpenResourceOutlivesItsFile) {
  files.AddBuffer("x", ToBytes("content"));
  const auto resource = Resource::Open(&vfs, "", "x");
  files.Remove("x");
  ASSERT_NE(resource, nullptr);
  EXPECT_EQ(resource->Read()->size(), 7);
}

// A provider that answers every name with the name.
int opened = 0, closed = 0;
mjpResourceProvider EchoProvider(const char* prefix) {
  mjpResourceProvider provider = {};
  provider.prefix = prefix;
  provider.open = [](mjResource* resource) {
    ++opened;
    return std::strstr(resource->name, "missing") ? 0 : 1;
  };
  provider.read = [](mjResource* resource, const void** buffer) {
    *buffer = resource->name;
    return static_cast<int>(std::strlen(resource->name));
  };
  provider.close = [](mjResource*) { ++closed; };
  return provider;
}

TEST_F(VfsTest, MountAnswersForWhatIsBelowIt) {
  bool failed = false;
  EXPECT_TRUE(files.Mount(&vfs, "mounted/dir", EchoProvider(nullptr), &failed));
  EXPECT_FALSE(failed);
  EXPECT_FALSE(files.Mount(&vfs, "mounted/dir/", EchoProvider(nullptr), &failed)) << "the path is taken";
  EXPECT_EQ(Read("mounted/dir/sub/x"), "mounted/dir/sub/x");
  EXPECT_EQ(Read("mounted/x"), "(none)");
  EXPECT_TRUE(files.Unmount("mounted/dir"));
  EXPECT_FALSE(files.Unmount("mounted/dir"));
  EXPECT_EQ(Read("mounted/dir/sub/x"), "(none)");
}

TEST_F(VfsTest, FailingMountLeavesNothing) {
  mjpResourceProvider provider = EchoProvider(nullptr);
  provider.mount = [](mjResource*) { return 0; };
  bool failed = false;
  files.Mount(&vfs, "m", provider, &failed);
  EXPECT_TRUE(failed);
  EXPECT_EQ(Read("m/x"), "(none)");
}

TEST_F(VfsTest, RegisteredProviderAnswersForItsScheme) {
  const mjpResourceProvider provider = EchoProvider("sinewtest");
  const int slot = RegisterProvider(provider);
  EXPECT_EQ(RegisterProvider(provider), slot);
  EXPECT_EQ(FindProvider("SinewTest:x"), ProviderAt(slot));
  mjpResourceProvider other = provider;
  other.data = &other;
  EXPECT_THROW(RegisterProvider(other), Error);
  opened = closed = 0;
  EXPECT_EQ(Read("sinewtest:a/b", "dir"), "sinewtest:a/b");
  EXPECT_EQ(Read("sinewtest:missing"), "(none)");
  EXPECT_EQ(opened, 2);
  EXPECT_EQ(closed, 1) << "what was not opened is not closed";
}

// A provider is told once for each virtual file system, and else for each file.
TEST_F(VfsTest, ProvidersAreMountedWhenTheyAreFirstAsked) {
  static int mounted, unmounted;
  mounted = unmounted = 0;
  mjpResourceProvider provider = EchoProvider("sinewmount");
  provider.mount = [](mjResource* resource) {
    EXPECT_STREQ(resource->name, "sinewmount");
    return ++mounted;
  };
  provider.unmount = [](mjResource*) { return ++unmounted; };
  RegisterProvider(provider);
  EXPECT_EQ(mounted, 0);
  {
    Vfs own;
    mjVFS with_own = {};
    with_own.impl_ = &own;
    for (const char* name : {"sinewmount:a", "sinewmount:b"}) EXPECT_TRUE(ReadResource(&with_own, "", name));
    EXPECT_EQ(mounted, 1);
    EXPECT_EQ(unmounted, 0);
  }
  EXPECT_EQ(unmounted, 1);
  for (const char* name : {"sinewmount:a", "sinewmount:b"}) EXPECT_TRUE(ReadResource(nullptr, "", name));
  EXPECT_EQ(mounted, 3);
  EXPECT_EQ(unmounted, 3);
}

TEST_F(VfsTest, IncompleteProvidersAreRefused) {
  mjpResourceProvider provider = EchoProvider("1bad");
  EXPECT_THROW(RegisterProvider(provider), Error);
  provider.prefix = "incomplete";
  provider.read = nullptr;
  EXPECT_THROW(RegisterProvider(provider), Error);
  EXPECT_EQ(ProviderAt(0), nullptr);
  EXPECT_EQ(ProviderAt(1000), nullptr);
}

TEST_F(VfsTest, DiskComesLastAndKnowsItsTime) {
  const std::string path = testing::TempDir() + "sinew_resource_test.txt";
  std::ofstream(path) << "disk";
  EXPECT_EQ(Read(path), "disk");
  EXPECT_TRUE(Resource::Exists(nullptr, "", path));
  const auto resource = Resource::Open(nullptr, "", path);
  ASSERT_NE(resource, nullptr);
  EXPECT_EQ(resource->Compare(resource->timestamp), 0);
  EXPECT_GT(resource->Compare("time:-9000000000000000000"), 0);
  EXPECT_LT(resource->Compare("time:9000000000000000000"), 0);
  EXPECT_EQ(DirLength(*resource), testing::TempDir().size());
  std::filesystem::remove(path);
  EXPECT_EQ(Read(path), "(none)");
  EXPECT_EQ(Read(testing::TempDir()), "(none)") << "a folder is no file";
}

}  // namespace
}  // namespace sinew
